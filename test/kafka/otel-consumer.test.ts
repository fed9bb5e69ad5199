import type { Consumer, ConsumerRunConfig, EachMessagePayload, IHeaders, Message } from 'kafkajs'
import { propagation, SpanKind, trace } from '@opentelemetry/api'
import { CompositePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { kafkaWaybill, type WaybillConsumerRunConfig } from '@waybill/adapters/kafkajs'
import { otelWaybill } from '@waybill/adapters/otel'
import { createKit, currentWaybill } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { instrumentKafkajs } from '../../packages/adapters/test/otel/instrument-kafkajs.js'
import { registerSdk, type Sdk } from '../../packages/adapters/test/otel/sdk.js'
import { aTopic } from './a-topic.js'
import { client } from './client.js'
import { aGroup, consume, consumed } from './consume.js'
import { produce } from './produce.js'

type RunConfig = WaybillConsumerRunConfig<Consumer>

const kit = createKit({ service: 'order', environment: 'test', baseline: true })
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`

/** A topic with messages that a client without the kit and without OpenTelemetry has sent. */
async function topicWith(...messages: Message[]): Promise<string> {
  const topic = await aTopic(client())
  await produce(client(), { topic, messages })
  return topic
}

/** From now on until the test is over: the SDK, and kafkajs instrumented as by so many of them. */
function start(sdks = 1): Sdk {
  const otel = otelWaybill()
  const propagators = [new W3CTraceContextPropagator(), otel.propagator]
  const sdk = registerSdk(new CompositePropagator({ propagators }), [otel.spanProcessor])
  const undo = instrumentKafkajs(sdks)
  onTestFinished(() => {
    undo()
    sdk.end()
    otel.undo()
  })
  return sdk
}

/** Consumes by the kit until a handler has called `done`. */
async function until(topic: string, run: (done: () => void) => RunConfig): Promise<void> {
  const consumer = kafkaWaybill(kit, client()).consumer(aGroup())
  await new Promise<void>((resolve, reject) => {
    // kafkajs's own type of a handler asks for a promise of nothing.
    consume(consumer as Consumer, [topic], run(resolve) as ConsumerRunConfig).catch(reject)
  })
  await consumer.stop()
}

/** Sends by the kit, on a producer of its own. */
async function send(topic: string, messages: Message[], kafka = kafkaWaybill(kit, client())): Promise<void> {
  const producer = kafka.producer()
  await producer.connect()
  await producer.send({ topic, messages })
  await producer.disconnect()
}

const textOf = (headers: IHeaders | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]))
const headersIn = async (topic: string, count: number): Promise<Record<string, unknown>[]> => {
  const received = await consumed(client().consumer(aGroup()), [topic], count)
  return received.map(({ message }: EachMessagePayload) => textOf(message.headers))
}
const baggageHere = (): unknown =>
  propagation
    .getActiveBaggage()
    ?.getAllEntries()
    .map(([name, { value }]) => `${name}=${value}`)
const attributesOf = (sdk: Sdk, kind: SpanKind, name: RegExp): unknown[] =>
  sdk.spans
    .getFinishedSpans()
    .filter((span) => span.kind === kind && name.test(span.name))
    .map(({ attributes }) => Object.entries(attributes).filter(([key]) => key.startsWith('waybill.')))
    .map((pairs) => Object.fromEntries(pairs) as unknown)

test('routing 43 aspecto-io/opentelemetry-ext-js#215 a handler has the trace, the baggage and the waybill of its message, and so has what it sends', async () => {
  const baggage = 'clk=alice,shard-key=42,waybill-depth=1,a=1'
  const from = await topicWith({ value: '1', headers: { traceparent: TRACEPARENT, baggage } })
  const to = await aTopic(client())
  const sdk = start()
  const seen: unknown[] = []
  await until(from, (done) => ({
    eachMessage: async () => {
      const { clk, shardKey, depth } = currentWaybill()
      seen.push([clk, shardKey, depth], baggageHere(), trace.getActiveSpan()?.spanContext().traceId)
      await send(to, [{ value: '2' }])
      done()
    },
  }))
  expect(seen).toEqual([['alice', '42', 1], ['a=1'], TRACE])
  const [said] = attributesOf(sdk, SpanKind.CONSUMER, /^process/)
  expect(said).toMatchObject({ 'waybill.clk': 'alice', 'waybill.hop_count': 0 })
  expect(await headersIn(to, 1)).toEqual([
    {
      baggage: 'clk=alice,shard-key=42,waybill-depth=2,a=1',
      traceparent: expect.stringContaining(TRACE) as string,
    },
  ])
})

test('OBS-2 each message of a batch is handled and answered in its own waybill, and the span of the batch is that of none', async () => {
  const [a, b] = ['a', 'b'].map((clk) => ({ value: clk, headers: { baggage: `clk=${clk},waybill-depth=1` } }))
  const from = await topicWith(a!, b!, { value: 'none' })
  const to = await aTopic(client())
  const sdk = start()
  const seen: unknown[] = []
  await until(from, (done) => ({
    eachBatch: async ({ forEachMessage }) => {
      await forEachMessage(async ({ value }) => {
        seen.push(currentWaybill().clk)
        await send(to, [{ value }])
      })
      if (seen.length === 3) done()
    },
  }))
  expect(seen).toEqual(['a', 'b', undefined])
  expect((await headersIn(to, 3)).map(({ baggage }) => baggage)).toEqual([
    'clk=a,waybill-depth=2',
    'clk=b,waybill-depth=2',
    'waybill-depth=1',
  ])
  const batches = attributesOf(sdk, SpanKind.CLIENT, /^poll/)
  expect(batches.length).toBeGreaterThan(0)
  expect(new Set(batches.map((said) => JSON.stringify(said)))).toEqual(new Set(['{}']))
})

test('OBS-4 a `Baggage` of the caller’s hides nothing of ours, in either direction', async () => {
  const headers = { Baggage: 'a=1', baggage: 'clk=me' }
  const from = await topicWith({ value: '1', headers })
  const to = await aTopic(client())
  start()
  let seen: unknown
  await until(from, (done) => ({
    eachMessage: async ({ message }) => {
      seen = [currentWaybill().clk, textOf(message.headers)]
      await send(to, [{ value: '2', headers: { Baggage: 'b=2' } }])
      done()
    },
  }))
  expect(seen).toEqual(['me', headers])
  // The instrumentation takes in the first of both headers alone.
  expect(await headersIn(to, 1)).toEqual([
    { baggage: 'clk=me,waybill-depth=1,b=2,a=1', traceparent: expect.any(String) as string },
  ])
})

test('context open-telemetry/opentelemetry-js#4804 an instrumentation that is added twice writes and traces once, and says nothing', async () => {
  const said = (['error', 'warn', 'log'] as const).map((level) => vi.spyOn(console, level))
  onTestFinished(() => void vi.restoreAllMocks())
  const topic = await aTopic(client())
  const sdk = start(2)
  await withWaybill({ clk: 'me' }, () => send(topic, [{ value: '1' }]))
  let seen: unknown
  await until(topic, (done) => ({
    eachMessage: async ({ message }) => {
      seen = [
        currentWaybill().clk,
        Object.keys(message.headers ?? {}).sort(),
        String(message.headers?.['baggage']),
      ]
      done()
    },
  }))
  expect(seen).toEqual(['me', ['baggage', 'traceparent'], 'clk=me,waybill-depth=1'])
  expect(attributesOf(sdk, SpanKind.PRODUCER, /^send/)).toHaveLength(1)
  expect(attributesOf(sdk, SpanKind.CONSUMER, /^process/)).toHaveLength(1)
  for (const spy of said) expect(spy).not.toHaveBeenCalled()
})

test.each(['wrapped first', 'instrumented first'])(
  '%s: each message bears one baggage, and the trace context of its own span',
  async (order) => {
    const topic = await aTopic(client())
    const early = kafkaWaybill(kit, client())
    const sdk = start()
    const kafka = order === 'wrapped first' ? early : kafkaWaybill(kit, client())
    await withWaybill({ clk: 'me' }, () =>
      send(topic, [{ value: '1' }, { value: '2', headers: { baggage: 'a=1' } }, { value: '3' }], kafka),
    )
    const received = await headersIn(topic, 3)
    expect(received.map(({ baggage }) => baggage)).toEqual([
      'clk=me,waybill-depth=1',
      'clk=me,waybill-depth=1,a=1',
      'clk=me,waybill-depth=1',
    ])
    const spans = sdk.spans.getFinishedSpans().filter(({ kind }) => kind === SpanKind.PRODUCER)
    expect(spans).toHaveLength(3)
    expect(received.map(({ traceparent }) => String(traceparent).split('-')[2])).toEqual(
      spans.map((span) => span.spanContext().spanId),
    )
    expect(attributesOf(sdk, SpanKind.PRODUCER, /^send/)).toEqual(
      Array.from({ length: 3 }, () => ({ 'waybill.clk': 'me', 'waybill.hop_count': 0 })),
    )
  },
)
