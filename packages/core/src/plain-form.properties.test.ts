import fc from 'fast-check'
import { expect, test } from 'vitest'
import { adopt } from './adopt.js'
import { HttpCarrier } from './carrier.js'
import { engineOf } from './engine.js'
import { isWaybillError } from './errors.js'
import { createKit, type Kit } from './kit.js'
import type { KitOptions } from './kit-options.js'
import { performCall } from './perform-call.js'

const numRuns = Number(process.env['RUNS'] ?? 3000)
// Each run tries the same cases; the nightly one looks for others.
const tries = { numRuns, ...(process.env['RUNS'] === undefined && { seed: 20_261_130 }) }
const timeout = Math.max(60_000, numRuns * 20)

const trust = { inbound: 'peer', peers: ['127.0.0.0/8'] } as const
const options: readonly KitOptions[] = [
  { service: 'order', environment: 'test', services: { b: {} } },
  { service: 'order', environment: 'test', clks: 'own', services: { b: {} } },
  { service: 'order', environment: 'production', services: { b: {} }, trust },
  { service: 'order', environment: 'production', devRouting: true, services: { b: {} }, trust },
]

function withoutPlainForm(given: KitOptions): Kit {
  const kit = createKit(given)
  const engine = engineOf(kit)
  Object.defineProperty(engine, 'reading', { value: { ...engine.reading, plain: undefined } })
  return kit
}

const kits = options.map((given) => ({ short: createKit(given), general: withoutPlainForm(given) }))

const value = fc.oneof(
  fc.constantFrom('alice', 'user-7', '~', '.', '..', '-', '_', 'a-', '-a', 'a.', 'a..b', 'a--b', 'A', ''),
  fc.constantFrom('0', '00', '1', '01', '10', '99', '100', '000003', '999999', '1000000'),
  fc.constantFrom(...[63, 64, 256, 257].map((length) => 'a'.repeat(length))),
  fc.constantFrom('%61', 'own', 'constructor', '__proto__'),
  fc.stringMatching(/^[a-z0-9A-Z._~%-]{0,6}$/),
)
/** One of these, or any value. */
const mostly = (...usual: string[]) => fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...usual) }, value)
const maybe = (...usual: string[]) => fc.option(mostly(...usual), { nil: undefined })
/** In the order in which a kit writes, which the short way takes. */
const inOrder = fc
  .record({
    clk: maybe('alice', 'pr-7', 'a.b'),
    'shard-key': maybe('user-7', 'A', '~'),
    'hop-count': maybe('1', '10', '99', '0', '05', '00', '100'),
    'target-unit': maybe('sz', 'h_z-1', 'A'),
    'waybill-depth': mostly('0', '1', '000003', '999999', '1000000'),
  })
  .map((members) =>
    Object.entries(members)
      .flatMap(([name, text]) => (text === undefined ? [] : [`${name}=${text}`]))
      .join(),
  )
const names = [
  ...['clk', 'CLK', 'shard-key', 'hop-count', 'target-unit', 'waybill-depth', 'waybill-v', 'x'],
] as const
const anyOrder = fc
  .tuple(
    fc.array(
      fc.tuple(fc.constantFrom(...names), value).map((member) => member.join('=')),
      { maxLength: 6 },
    ),
    fc.constantFrom(',', ', '),
    fc.constantFrom('', ','),
  )
  .map(([members, separator, last]) => members.join(separator) + last)
const baggage = fc.oneof({ weight: 4, arbitrary: inOrder }, { weight: 1, arbitrary: anyOrder })
const arrivals = fc.record({
  headers: fc.oneof(
    fc.record({ baggage }),
    fc.record(
      {
        ...{ clk: value, 'x-shard-key': value, 'x-hop-count': value, 'x-target-unit': value, baggage },
        'waybill-explain': fc.constant('1'),
      },
      { requiredKeys: [] },
    ),
  ),
  inbound: fc.constantFrom('peer', 'peer', 'edge', 'public'),
  remoteAddress: fc.constantFrom('127.0.0.1', '127.0.0.1', '::1', '8.8.8.8', undefined),
})
type Arrival = typeof arrivals extends fc.Arbitrary<infer T> ? T : never

/** What becomes of an arrival: whether it is taken in, what its waybill says, and what a call from it bears. */
async function outcome(kit: Kit, { headers, inbound, remoteAddress }: Arrival): Promise<unknown> {
  const carrier = new HttpCarrier(headers)
  const peer = { remoteAddress }
  const adopted = adopt(kit, { kind: 'http', carrier, inbound, peer, method: 'GET', url: '/' })
  const { tagged, told, refusal, waybill } = adopted
  const sent = await adopted.run(() => call(kit))
  const { clk, shardKey, hopCount, targetUnit, depth } = waybill
  const read = { clk, shardKey, hopCount, targetUnit, depth }
  return { tagged, told, refused: refusal?.code, read, sent, counters: { ...kit.counters } }
}

async function call(kit: Kit): Promise<unknown> {
  const url = new URL('http://b/')
  const request = { kind: 'http', url, method: 'GET', headers: () => undefined } as const
  let stamped: unknown
  try {
    await performCall(kit, { ...request, body: 'none', idempotent: true }, (_call, stamp) => {
      stamped = stamp
      const done = Promise.resolve()
      return Promise.resolve({ status: 200, header: () => undefined, value: undefined, done })
    })
  } catch (error) {
    if (!isWaybillError(error)) throw error
    return error.code
  }
  return stamped
}

test(
  'under every trust and for every listener an arrival read the short way ends as one of the general reader',
  { timeout },
  async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, fc.constantFrom(...kits), async (arrival, { short, general }) => {
        expect(await outcome(short, arrival)).toEqual(await outcome(general, arrival))
      }),
      tries,
    )
  },
)
