import { ALICE, BOB, BUYERS, curl, NOBODY, order, REQUESTS, traceOf, wayOf, wrongIn } from './otel-order.js'
import { entry, openOtelShop, type OtelShop } from './otel-shop.js'
import { StartFailed } from './process-group.js'
import { headerLines } from './recording.js'
import { scene, unless, type Scene } from './scene.js'
import { allVisits, type Arrived } from './trace.js'
import { traceTable } from './trace-table.js'

/** The shard key that an outsider would like to have. */
const OUTSIDERS = 'eve-6666'

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

const NOT_TOLD =
  'not told: a service without the kit does not pass waybill-route on; the trace has it all the same'

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
  const judged = all.map(({ buyer, traceId }, index) => {
    const visit = visits[index]
    const wrong = wrongIn(visit, buyer).map((problem) => `${traceId}: ${problem}`)
    return { buyer, behind: visit === undefined ? [] : allVisits(visit).slice(1), wrong }
  })
  const hashes = new Map(
    BUYERS.map((buyer) => {
      const hers = judged.filter((each) => each.buyer === buyer).flatMap(({ behind }) => behind)
      return [buyer, [...new Set(hers.flatMap(({ shardHash }) => shardHash ?? []))].join(' ')]
    }),
  )
  const calls = judged.flatMap(({ behind }) => behind).filter(({ stranger }) => !stranger)
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
        const key = `hash ${hashes.get(buyer) ?? ''}`
        return `${tag.padEnd(11)}${String(right)} of ${String(hers.length)} whole and in every span; ${served}; ${key}`
      }),
      `${count(once.length)} of ${count(calls.length)} calls within the fleet bear one baggage header`,
    ],
    wrong: [
      ...judged.flatMap(({ wrong }) => wrong).slice(0, 5),
      ...unless(
        new Set([...hashes.values()].flatMap((each) => each.split(' '))).size === BUYERS.length,
        `the hashes of their keys are ${[...hashes.values()].join(', ')}, expected one each`,
      ),
    ],
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
