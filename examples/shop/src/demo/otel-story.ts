import { randomBytes } from 'node:crypto'
import { ask, type Answer } from './ask.js'
import { entry, openOtelShop, type OtelShop } from './otel-shop.js'
import { StartFailed } from './process-group.js'
import { headerLines } from './recording.js'
import { scene, unless, type Scene } from './scene.js'
import { allVisits, traceLine, type Arrived, type Visit } from './trace.js'
import { traceTable } from './trace-table.js'

/** Somebody who buys, and whose machines have to serve. */
interface Buyer {
  readonly clk: string | undefined
  /** Of the customer whom the request is for: her shard key. */
  readonly customer: string
  readonly inventory: string
  readonly warehouse: string
}

const NOBODY: Buyer = { clk: undefined, customer: 'tom-2600', inventory: 'az-ci', warehouse: 'az-ci' }
const ALICE: Buyer = { clk: 'alice', customer: 'ann-4711', inventory: 'alice', warehouse: 'az-ci' }
const BOB: Buyer = { clk: 'bob', customer: 'kim-0815', inventory: 'az-ci', warehouse: 'bob' }
const BUYERS: readonly Buyer[] = [ALICE, BOB, NOBODY]

/** The shard key that an outsider would like to have. */
const OUTSIDERS = 'eve-6666'

/** How many requests one order makes, its own included. */
const REQUESTS = 8
const MANY = 150

/** What a call to a stranger must not bear: the names of our headers, and of our members at the start of one. */
const OUR_HEADER = /^(?:clk|x-shard-key|x-hop-count|x-target-unit|waybill-.*)$/i
const OUR_MEMBER = /(?:^|,)\s*(?:clk|shard-key|hop-count|target-unit|waybill-[^=]*)\s*=/i

/** Plays the story of a traced shop on real processes, and leaves none of them behind. */
export async function* tellOtelStory(): AsyncGenerator<Scene> {
  const shop = await openOtelShop()
  try {
    yield* await orders(shop)
    yield await manyOrders(shop)
    yield await outsider(shop)
    yield leftTheFleet(shop)
    yield await withoutTheKit(shop)
    yield await refusedStart(shop)
  } finally {
    await shop.close()
  }
}

/** A request that was answered, and its trace. */
interface Order {
  readonly buyer: Buyer
  readonly traceId: string
  readonly answer: Answer
}

const NOT_TOLD =
  'not told: a service without the kit does not pass waybill-route on; the trace has it all the same'

/** Sends one request whose trace the demo knows, since it has begun it. */
async function order(
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

function curl({ web }: OtelShop, { clk, customer }: Buyer, path = '/buy/42', more = ''): string {
  const tag = clk === undefined ? '' : `-H 'clk: ${clk}' `
  return `curl ${tag}${more}-b customer=${customer} ${web.url}${path}`
}

const wayOf = ({ inventory }: Buyer): string =>
  `order=@az-ci(inventory=${inventory === 'az-ci' ? '@az-ci' : inventory} payment=@az-ci shipping=)`

/** The trace of an order as {@link traceLine} tells it: its tag in every span, whoever is in between. */
function traceOf({ clk = '-', inventory, warehouse }: Buyer, carrier = ''): string {
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
function wrongIn(visit: Visit | undefined, buyer: Buyer, expected = traceOf(buyer)): readonly string[] {
  if (visit === undefined) return ['no whole trace came']
  const visits = allVisits(visit)
  const line = traceLine(visit)
  const hashes = new Set(visits.flatMap(({ shardHash }) => shardHash ?? []))
  return [
    ...unless(line === expected, `the trace is ${line}, expected ${expected}`),
    ...unless(hashes.size === 1, `its spans name ${String(hashes.size)} shard keys, expected one`),
    ...visits.flatMap(({ service, hopCount = 0, baggage, stranger }) => [
      ...unless(hopCount === 0, `${service} saw hop count ${String(hopCount)}, expected 0`),
      ...unless(
        stranger || visit.service === service || baggage.length === 1,
        `${service} was sent ${String(baggage.length)} baggage headers, expected one`,
      ),
    ]),
  ]
}

/** Of nobody; then of Alice and of Bob at the same moment. */
async function orders(shop: OtelShop): Promise<readonly Scene[]> {
  const one = await order(shop, NOBODY)
  const two = await Promise.all([order(shop, ALICE), order(shop, BOB)])
  const all = [one, ...two]
  const visits = await shop.traces.whole(
    all.map(({ traceId }) => traceId),
    REQUESTS,
  )
  const titles = [
    'No tag: the trace on the left, what the reply told of the way on the right',
    'clk: alice: her inventory serves order; shipping, which has no kit, asks the one that it knows',
    'clk: bob, at the same moment: his tag passes through shipping in baggage, and chooses again behind it',
  ]
  return all.map(({ buyer, answer }, index) => {
    const visit = visits[index]
    const told = scene(titles[index] ?? '', curl(shop, buyer), answer, wayOf(buyer))
    return {
      ...told,
      way: [],
      seen: visit === undefined ? [] : [...traceTable(visit, told.way), ...(index === 0 ? [NOT_TOLD] : [])],
      wrong: [...told.wrong, ...wrongIn(visit, buyer)],
    }
  })
}

/** Many at once never mix, in their spans neither. */
async function manyOrders(shop: OtelShop): Promise<Scene> {
  const all = await Promise.all(
    Array.from({ length: MANY }, (_, index) => order(shop, BUYERS[index % BUYERS.length] ?? NOBODY)),
  )
  const visits = await shop.traces.whole(
    all.map(({ traceId }) => traceId),
    REQUESTS,
  )
  const judged = all.map(({ buyer, traceId }, index) => ({
    buyer,
    wrong: wrongIn(visits[index], buyer).map((problem) => `${traceId}: ${problem}`),
  }))
  const calls = visits
    .flatMap((visit) => (visit === undefined ? [] : allVisits(visit).slice(1)))
    .filter(({ stranger }) => !stranger)
  const once = calls.filter(({ baggage }) => baggage.length === 1)
  return {
    title: `${String(MANY)} orders interleaved, of Alice, of Bob and of nobody: each trace is of one of them alone`,
    action: `GET ${shop.web.url}/buy/42, 32 at a time`,
    way: [],
    seen: [
      ...BUYERS.map((buyer) => {
        const hers = judged.filter((each) => each.buyer === buyer)
        const right = hers.filter(({ wrong }) => wrong.length === 0).length
        const tag = buyer.clk === undefined ? 'untagged' : `clk ${buyer.clk}`
        const served = `inventory by ${buyer.inventory}, warehouse by ${buyer.warehouse}`
        return `${tag.padEnd(11)}${String(right)} of ${String(hers.length)} whole and in every span; ${served}`
      }),
      `${count(once.length)} of ${count(calls.length)} calls within the fleet bear one baggage header`,
    ],
    wrong: judged.flatMap(({ wrong }) => wrong).slice(0, 5),
  }
}

const baggageOf = (arrival: Arrived | undefined): string =>
  arrival === undefined ? 'nothing' : headerLines(arrival, 'baggage').join(' and ') || 'none'

/** A sender whom nobody believes puts members of our names into baggage, beside one of the tracer's. */
async function outsider(shop: OtelShop): Promise<Scene> {
  const sent = `clk=mallory,shard-key=${OUTSIDERS},team=red`
  const { traceId, answer } = await order(shop, NOBODY, '/buy/42', { baggage: sent })
  const [visit] = await shop.traces.whole([traceId], REQUESTS)
  const told = scene(
    "An outsider's baggage: the tracer's own member goes the whole way, those of our names end at web",
    curl(shop, NOBODY, '/buy/42', `-H 'baggage: ${sent}' `),
    answer,
    wayOf(NOBODY),
  )
  const visits = visit === undefined ? [] : allVisits(visit)
  const inside = visits.slice(1)
  const believed = inside.filter(({ baggage }) =>
    baggage.some((line) => line.includes('mallory') || line.includes(OUTSIDERS)),
  )
  const without = inside.filter(({ baggage }) => !baggage.join().includes('team=red'))
  return {
    ...told,
    way: [],
    seen: ['web', 'order', 'warehouse', 'bank'].map((name) => {
      const at = visits.find(({ service }) => service === name)
      return `${name.padEnd(11)}was sent  baggage: ${at?.baggage.join(' and ') ?? ''}`
    }),
    wrong: [
      ...told.wrong,
      ...wrongIn(visit, NOBODY),
      ...believed.map(({ service }) => `${service} was sent what the outsider said`),
      ...without.map(({ service }) => `${service} was not sent the tracer's member`),
    ],
  }
}

/** Of everything so far: what spans say of keys, and what strangers were sent. */
function leftTheFleet({ traces }: OtelShop): Scene {
  const keys = [...BUYERS.map(({ customer }) => customer), OUTSIDERS]
  const { spans, arrivals } = traces
  const inClear = spans.filter((span) => {
    const text = JSON.stringify(span)
    return keys.some((key) => text.includes(key))
  })
  const atStrangers = arrivals.filter(({ stranger }) => stranger !== undefined)
  const traced = atStrangers.filter((arrival) => headerLines(arrival, 'traceparent').length === 1)
  const ours = atStrangers.filter(bearsOurs)
  return {
    title: 'What has left the fleet by all of these: the trace, and nothing of the waybill',
    action: 'every span of every process, and every header that the bank was sent',
    way: [],
    seen: [
      `${count(spans.length)} spans, ${count(inClear.length)} with a shard key in clear`,
      `${count(atStrangers.length)} calls to the bank, ${count(traced.length)} with traceparent, ${count(ours.length)} with a name or key of ours`,
    ],
    wrong: [
      ...unless(spans.length > MANY * REQUESTS, `only ${count(spans.length)} spans came`),
      ...unless(atStrangers.length > MANY, `only ${count(atStrangers.length)} calls reached the bank`),
      ...unless(traced.length === atStrangers.length, 'some calls to the bank bear no traceparent, or two'),
      ...inClear.slice(0, 3).map(({ name }) => `a span ${name} has a shard key in clear`),
      ...ours.slice(0, 3).map((arrival) => `the bank was sent ${arrival.lines.join(' ')}`),
    ],
  }
}

const count = (number: number): string => number.toLocaleString('en')

function bearsOurs(arrival: Arrived): boolean {
  return (
    arrival.lines.some((line, index) => index % 2 === 0 && OUR_HEADER.test(line)) ||
    headerLines(arrival, 'baggage').some((line) => OUR_MEMBER.test(line)) ||
    BUYERS.some(({ customer }) => arrival.lines.some((line) => line.includes(customer)))
  )
}

/** What the service in the middle does in good faith. */
async function withoutTheKit(shop: OtelShop): Promise<Scene> {
  const path = '/buy/42?fast=1'
  const { traceId, answer } = await order(shop, ALICE, path)
  const [visit] = await shop.traces.whole([traceId], REQUESTS + 1)
  const told = scene(
    "What a service without the kit cannot hold to: OpenTelemetry's own propagator tells anybody",
    curl(shop, ALICE, path),
    answer,
    wayOf(ALICE),
  )
  const sent = shop.traces.arrivals.filter(({ lines }) => lines.join().includes(traceId))
  const carrier = sent.find(({ stranger }) => stranger === 'carrier')
  const bank = sent.find(({ stranger }) => stranger === 'bank')
  return {
    ...told,
    way: [],
    seen: [
      `payment, with the kit, calls its bank      baggage: ${baggageOf(bank)}`,
      `shipping, without, calls a carrier         baggage: ${baggageOf(carrier)}`,
      'Whatever calls others outside of the fleet needs the kit: docs/opentelemetry.md',
    ],
    wrong: [
      ...told.wrong,
      ...wrongIn(visit, ALICE, traceOf(ALICE, 'carrier=-/-/2 ')),
      ...unless(bank !== undefined && !bearsOurs(bank), `the bank was sent ${baggageOf(bank)}`),
      ...unless(carrier !== undefined && bearsOurs(carrier), 'the carrier was not sent what this scene says'),
    ],
  }
}

/** The entry with OpenTelemetry's own propagator, registered before ours by somebody else. */
async function refusedStart(shop: OtelShop): Promise<Scene> {
  let output = 'it started'
  try {
    await shop.start({ ...entry, preloads: ['telemetry-alone.js', 'telemetry.js'] })
  } catch (error) {
    if (!(error instanceof StartFailed)) throw error
    output = error.output
  }
  const line = /^\w*Error: .*$/m.exec(output)?.[0] ?? output
  return {
    title: 'web where something has registered that propagator before ours: it does not start',
    action: 'node --import ./telemetry-alone.js --import ./telemetry.js web.js',
    way: [],
    seen: line.match(/\S.{0,99}(?= |$)/g) ?? [],
    wrong: unless(line.includes('ERR_WAYBILL_FOREIGN_PROPAGATOR'), output),
  }
}
