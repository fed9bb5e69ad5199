import { randomBytes } from 'node:crypto'
import { ask, type Answer } from './ask.js'
import type { OtelShop } from './otel-shop.js'
import { unless } from './scene.js'
import { allVisits, traceLine, type Visit } from './trace.js'

/** Somebody who buys, and whose machines have to serve. */
export interface Buyer {
  readonly clk: string | undefined
  /** Of the customer whom the request is for: her shard key. */
  readonly customer: string
  readonly inventory: string
  readonly warehouse: string
}

export const NOBODY: Buyer = { clk: undefined, customer: 'tom-2600', inventory: 'az-ci', warehouse: 'az-ci' }
export const ALICE: Buyer = { clk: 'alice', customer: 'ann-4711', inventory: 'alice', warehouse: 'az-ci' }
export const BOB: Buyer = { clk: 'bob', customer: 'kim-0815', inventory: 'az-ci', warehouse: 'bob' }
export const BUYERS: readonly Buyer[] = [ALICE, BOB, NOBODY]

/** How many requests one order makes, its own included. */
export const REQUESTS = 8

/** A request that was answered, and its trace. */
export interface Order {
  readonly buyer: Buyer
  readonly traceId: string
  readonly answer: Answer
}

/** Sends one request whose trace the demo knows, since it has begun it. */
export async function order(
  { web }: OtelShop,
  buyer: Buyer,
  path = '/buy/42',
  more: Readonly<Record<string, string>> = {},
): Promise<Order> {
  const traceId = randomBytes(16).toString('hex')
  const answer = await ask(web.url + path, {
    traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
    cookie: `customer=${buyer.customer}`,
    ...(buyer.clk !== undefined && { clk: buyer.clk }),
    ...more,
  })
  return { buyer, traceId, answer }
}

/** What a reader would type to send the same. */
export function curl({ web }: OtelShop, { clk, customer }: Buyer, path = '/buy/42', more = ''): string {
  const tag = clk === undefined ? '' : `-H 'clk: ${clk}' `
  return `curl ${tag}${more}-b customer=${customer} ${web.url}${path}`
}

/** The way of an order, as its reply tells it. */
export const wayOf = ({ inventory }: Buyer): string =>
  `order=@az-ci(inventory=${inventory === 'az-ci' ? '@az-ci' : inventory} payment=@az-ci shipping=)`

/** The trace of an order as {@link traceLine} tells it: its tag in every span, whoever is in between. */
export function traceOf({ clk = '-', inventory, warehouse }: Buyer, carrier = ''): string {
  const span = (served: string, depth: string): string => `${served}/${clk}/${depth}`
  const behind = `inventory=${span('az-ci', '2')}(warehouse=${span(warehouse, '3')})`
  const below = [
    `inventory=${span(inventory, '2')}`,
    `payment=${span('az-ci', '2')}(bank=-/-/-)`,
    `shipping=-/-/2(${carrier}${behind})`,
  ]
  return `web=${span('az-ci', '-')}(order=${span('az-ci', '1')}(${below.join(' ')}))`
}

/** Each thing in a trace that is not as it must be. */
export function wrongIn(
  visit: Visit | undefined,
  buyer: Buyer,
  expected = traceOf(buyer),
): readonly string[] {
  if (visit === undefined) return ['no whole trace came']
  const visits = allVisits(visit)
  const line = traceLine(visit)
  // At the entry the key is bound when its span has begun already.
  const behind = visits.slice(1).filter(({ hopCount }) => hopCount !== undefined)
  const hashes = new Set(behind.map(({ shardHash }) => shardHash))
  return [
    ...unless(line === expected, `the trace is ${line}, expected ${expected}`),
    ...unless(
      hashes.size === 1 && !hashes.has(undefined),
      `its spans have the hashes ${[...hashes].join(', ')}, expected one`,
    ),
    ...visits.flatMap(({ service, hopCount = 0, baggage, stranger }) => [
      ...unless(hopCount === 0, `${service} saw hop count ${String(hopCount)}, expected 0`),
      ...unless(
        stranger || visit.service === service || baggage.length === 1,
        `${service} was sent ${String(baggage.length)} baggage headers, expected one`,
      ),
    ]),
  ]
}
