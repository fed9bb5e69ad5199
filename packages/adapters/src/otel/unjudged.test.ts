import { context, defaultTextMapGetter, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { actFor, createKit, currentWaybill, runWithWaybill, type Kit } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import { farServer, namesOfOurs, type FarServer } from '@waybill/conformance/wire'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { httpClients, type Ask } from '../../test/otel/http-clients.js'
import { injectingKafka, type MessageHeaders } from '../../test/otel/injecting-kafka.js'
import { instrument } from '../../test/otel/instrument.js'
import { registerSdk } from '../../test/otel/sdk.js'
import { kafkaWaybill } from '../kafkajs/index.js'
import { otelWaybill, type OtelOptions } from './index.js'

// Nobody has judged a destination that is neither a service nor a host of `trust.outbound`, and none at all of a call that
// goes past the kit. The shard key is in no byte of what arrives there.

const KEY = 'key-4711'
const ends: (() => unknown)[] = []
let stranger: FarServer
let kit: Kit

beforeEach(async () => {
  stranger = await farServer()
  ends.push(() => stranger.close(), instrument())
  kit = createKit({ service: 'order', environment: 'test' })
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

function start(options: OtelOptions = {}): void {
  const otel = otelWaybill(options)
  const propagators = [new W3CTraceContextPropagator(), otel.propagator]
  ends.push(otel.undo, registerSdk(new CompositePropagator({ propagators })).end)
}

const inSpan = <T>(fn: () => Promise<T>): Promise<T> =>
  trace.getTracer('test').startActiveSpan('work', (span) => fn().finally(() => span.end()))

/** What an application gets that reads a header by an instance of the stock propagator of its own. */
const extractedByHand = (baggage: string) =>
  new W3CBaggagePropagator().extract(context.active(), { baggage }, defaultTextMapGetter)
const BY_HAND = `clk=alice,shard-key=${KEY},%73hard-key=${KEY},SHARD-KEY=${KEY},waybill-depth=1,a=1`

type Nest = (call: () => Promise<unknown>) => Promise<unknown>

/** By what is around a call within a request that has the key. */
const nestings: Readonly<Record<string, Nest>> = {
  'the request itself': (call) => call(),
  'a span': inSpan,
  'a span of a span': (call) => inSpan(() => inSpan(call)),
  'a scope of another tag': (call) => runWithWaybill(currentWaybill().with({ clk: 'bob' }), call),
  'another user’s request': (call) => actFor(`${KEY}-other`, { reason: 'test' }, call),
  'OpenTelemetry’s root context': (call) => context.with(ROOT_CONTEXT, call),
  'a detached request': (call) => kit.detached(call)(),
  'a context that was bound': (call) => context.bind(context.active(), call)(),
  'baggage that was extracted by hand': (call) => context.with(extractedByHand(BY_HAND), call),
  'that, in a span and a scope': (call) =>
    context.with(extractedByHand(BY_HAND), () =>
      inSpan(() => runWithWaybill(currentWaybill().with({}), call)),
    ),
  'that, from which another was made': (call) => {
    const held = extractedByHand(BY_HAND)
    const more = propagation.getBaggage(held)?.setEntry('shard-key', { value: KEY })
    return context.with(more === undefined ? held : propagation.setBaggage(held, more), call)
  },
}

const request = <T>(fn: () => T): T => withWaybill({ clk: 'alice', shardKey: KEY }, fn)

function expectNothingOfOurs(): void {
  expect(stranger.heard).not.toEqual([])
  for (const heard of stranger.heard) {
    expect(namesOfOurs(heard)).toEqual([])
    expect(JSON.stringify(heard.rawHeaders)).not.toContain(KEY)
  }
}

describe.each(Object.entries(httpClients))('%s', (_name, { plain, of }) => {
  describe.each([
    ['past the kit', (): Ask => plain],
    ['by the kit', (): Ask => of(kit)],
  ])('a call %s', (_how, ask) => {
    test.each(Object.entries(nestings))('in %s', async (_where, nest) => {
      start({ injectEverywhere: false })
      await request(() => nest(() => ask()(`${stranger.origin}/`)))
      expectNothingOfOurs()
    })

    test('what an application extracted by hand goes out without ours', async () => {
      start()
      await request(() =>
        context.with(extractedByHand(`a=1,shard-key=${KEY}`), () => ask()(`${stranger.origin}/`)),
      )
      expect(stranger.heard.at(-1)?.lines('baggage')).toEqual(['a=1'])
    })
  })

  test('injectEverywhere writes the key on calls past the kit, and on those that it judged away it does not', async () => {
    start({ injectEverywhere: true })
    await request(() => of(kit)(`${stranger.origin}/`))
    expectNothingOfOurs()
    await request(() => plain(`${stranger.origin}/`))
    expect(stranger.heard.at(-1)?.lines('baggage')).toEqual([`clk=alice,shard-key=${KEY},waybill-depth=1`])
  })
})

describe('kafkajs', () => {
  const instrumentedKafka = (sent: MessageHeaders[]) =>
    injectingKafka((headers) => propagation.inject(context.active(), headers), sent)

  test.each(Object.entries(nestings))('to a topic that is not believed, in %s', async (_where, nest) => {
    start()
    const sent: MessageHeaders[] = []
    const kafka = instrumentedKafka(sent)
    const own = createKit({ service: 'order', environment: 'test', trust: { topics: ['orders'] } })
    const message = (): { value: string } => ({ value: '1' })
    await request(() =>
      nest(async () => {
        await kafkaWaybill(own, kafka)
          .producer()
          .send({ topic: 'partners', messages: [message()] })
        await kafka.producer().send({ messages: [message()] })
      }),
    )
    expect(sent).toHaveLength(2)
    const texts = sent.flatMap((headers) =>
      Object.entries(headers).map(([name, value]) => `${name}=${String(value)}`),
    )
    expect(texts.join()).not.toMatch(/clk|key-4711|waybill/)
  })

  test('to one that is, the kit writes it', async () => {
    start()
    const sent: MessageHeaders[] = []
    await request(() =>
      kafkaWaybill(kit, instrumentedKafka(sent))
        .producer()
        .send({ topic: 'orders', messages: [{ value: '1' }] }),
    )
    expect(String(sent[0]?.['baggage'])).toBe(`clk=alice,shard-key=${KEY},waybill-depth=1`)
  })
})
