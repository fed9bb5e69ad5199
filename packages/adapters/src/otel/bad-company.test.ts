import http from 'node:http'
import { context, propagation, trace, type TextMapPropagator } from '@opentelemetry/api'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { NodeSDK } from '@opentelemetry/sdk-node'
import type { SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace-node'
import { SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { createKit, currentWaybill, type Kit } from '@waybill/core'
import type { Interceptor } from '@waybill/core/adapter'
import { recordEvents, type EventRecorder } from '@waybill/core/testing'
import { farServer, type FarServer, type Heard } from '@waybill/conformance/wire'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { httpClients } from '../../test/otel/http-clients.js'
import { instrument } from '../../test/otel/instrument.js'
import { registerSdk } from '../../test/otel/sdk.js'
import { listen, raw, send } from '../../test/loopback.js'
import { waybillListener } from '../node-http/index.js'
import { otelWaybill, type OtelWaybill } from './index.js'

// Each test is one service with a kit, whose handler calls another by the client that it is given.

const ends: (() => unknown)[] = []
let events: EventRecorder
let inventory: FarServer
beforeEach(async () => {
  inventory = await farServer()
  events = recordEvents(['audit', 'dropped', 'lost'])
  ends.push(
    () => inventory.close(),
    () => events.stop(),
  )
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const route: Interceptor = (next) => (call) =>
  next({ ...call, target: { host: '127.0.0.1', port: inventory.port, tls: false } })

interface Service {
  readonly port: number
  /** The tags that its handler saw, before and behind its call. */
  readonly seen: readonly (string | undefined)[]
}

/** @param midway runs in the handler, before its call. */
async function serve(midway: (kit: Kit) => unknown = () => {}): Promise<Service> {
  const kit = createKit({ service: 'order', environment: 'test', interceptors: [route] })
  const seen: (string | undefined)[] = []
  const handle = async (): Promise<void> => {
    seen.push(currentWaybill().clk)
    await midway(kit)
    await httpClients['node:http']!.of(kit)('http://inventory/')
    seen.push(currentWaybill().clk)
  }
  const listener = waybillListener(kit, (_req, res) => {
    handle().then(
      () => res.end('served'),
      (error: unknown) => res.writeHead(500).end(String(error)),
    )
  })
  return { port: await listen(http.createServer(listener)), seen }
}

const install = (): OtelWaybill => {
  const otel = otelWaybill()
  ends.push(otel.undo)
  return otel
}

/** An SDK with the propagators of its documentation, one of them replaced. */
function register(baggage: TextMapPropagator, processors: readonly SpanProcessor[] = []): void {
  const propagators = [new W3CTraceContextPropagator(), baggage]
  ends.push(registerSdk(new CompositePropagator({ propagators }), processors).end)
}

const actions = (): string[] => events.of('audit').map(({ action }) => action)
const reasons = (): string[] => [...new Set(events.of('dropped').map(({ reason }) => reason))]
const last = (): Heard => inventory.heard.at(-1) as Heard

describe('hostile baggage behind the stock propagator', () => {
  const OUTSIDE = { 'x-forwarded-for': '203.0.113.9' }

  test.each<[what: string, headers: Record<string, string>, reason: string | undefined]>([
    ['a tag and a key of nobody', { baggage: 'clk=mallory,shard-key=7', ...OUTSIDE }, 'UNTRUSTED'],
    ['a tag behind an escape', { baggage: '%63lk=mallory,a=1', ...OUTSIDE }, 'UNTRUSTED'],
    ['a tag twice', { baggage: 'clk=alice,clk=mallory' }, 'AMBIGUOUS_CLK'],
    ['a tag of another grammar', { baggage: 'clk=no%20tag' }, 'INVALID_CLK'],
    ['a header in a tag', { baggage: 'clk=mallory%0D%0Ax-evil:%201' }, 'INVALID_CLK'],
    ['a header in a foreign member', { baggage: 'a=1%0D%0Ax-evil:%201' }, undefined],
    ['three thousand members', { baggage: `${'k=v,'.repeat(3000)}clk=mallory` }, 'OVER_LIMIT'],
    ['a member of 12,000 bytes', { baggage: `k=${'v'.repeat(12_000)},clk=mallory` }, 'OVER_LIMIT'],
    ['bad escapes', { baggage: 'a=%,b=%ff,%c3=1,=,;,,' }, undefined],
    ['names that objects inherit', { baggage: '__proto__=1,constructor=2' }, undefined],
  ])('%s: served untagged, also at the next service', async (_what, headers, reason) => {
    install()
    ends.push(instrument())
    const { port, seen } = await serve()
    // It comes behind the listener, which would else be refused where it is public.
    register(new W3CBaggagePropagator())
    expect(await send(port, { headers })).toMatchObject({ status: 200, text: 'served' })
    expect(seen).toEqual([undefined, undefined])
    expect(last().lines('clk')).toEqual([''])
    expect(last().lines('x-evil')).toEqual([])
    expect(actions()).toEqual(['foreign-propagator'])
    if (reason !== undefined) expect(reasons()).toContain(reason)
  })
})

describe('a propagator that throws', () => {
  const broken: TextMapPropagator = {
    inject() {
      throw new Error('broken')
    },
    extract() {
      throw new Error('broken')
    },
    fields: () => ['x-broken'],
  }
  const OURS = ['clk=alice,waybill-depth=1']

  test.each(['before ours', 'behind ours'])('%s, in a composite: nothing is lost', async (place) => {
    const { propagator: ours } = install()
    ends.push(instrument())
    const { port, seen } = await serve()
    register(
      new CompositePropagator({ propagators: place === 'before ours' ? [broken, ours] : [ours, broken] }),
    )
    expect((await send(port, { headers: { clk: 'alice' } })).text).toBe('served')
    expect(seen).toEqual(['alice', 'alice'])
    expect(last().lines('baggage')).toEqual(OURS)
    expect(last().lines('traceparent')).toHaveLength(1)
    expect(actions()).toEqual([])
  })

  test('by itself: the kit writes what it would, and an event tells what is missing', async () => {
    install()
    const { port, seen } = await serve()
    ends.push(registerSdk(broken).end)
    for (let round = 0; round < 2; round++) {
      expect((await send(port, { headers: { clk: 'alice' } })).text).toBe('served')
    }
    expect(seen).toEqual(['alice', 'alice', 'alice', 'alice'])
    expect(last().lines('baggage')).toEqual(OURS)
    expect(actions()).toEqual(['broken-propagator'])
    expect(events.of('audit')[0]?.facts['remedy']).toMatch(/CompositePropagator.*#in-bad-company/)
  })

  test('by itself, where calls are instrumented: who calls gets its error, as without the kit, and the process goes on', async () => {
    install()
    const { port, seen } = await serve()
    ends.push(registerSdk({ ...broken, extract: (held) => held }).end, instrument())
    await expect(httpClients['node:http']!.plain(`${inventory.origin}/`)).rejects.toThrow('broken')
    const answers = await Promise.all(
      ['alice', 'bob'].map((clk) =>
        raw(port, `GET / HTTP/1.1\r\nHost: x\r\nclk: ${clk}\r\nConnection: close\r\n\r\n`),
      ),
    )
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 500[^]*Error: broken/)
    expect(seen).toEqual(['alice', 'bob'])
    expect(actions()).toEqual(['broken-propagator'])
  })

  test('nobody is told of one that was replaced meanwhile', async () => {
    events.stop()
    const { propagator } = install()
    const { port } = await serve()
    const sdk = registerSdk(broken)
    await send(port)
    sdk.end()
    register(propagator)
    events = recordEvents(['audit'])
    await send(port)
    expect(actions()).toEqual([])
  })
})

describe('an SDK that shuts down in mid-request', () => {
  function startNodeSdk(otel: OtelWaybill): NodeSDK {
    const sdk = new NodeSDK({
      textMapPropagator: new CompositePropagator({
        propagators: [new W3CTraceContextPropagator(), otel.propagator],
      }),
      spanProcessors: [otel.spanProcessor],
      logRecordProcessors: [otel.logRecordProcessor],
      metricReaders: [],
      instrumentations: [],
      autoDetectResources: false,
    })
    sdk.start()
    ends.push(() => {
      trace.disable()
      context.disable()
      propagation.disable()
    })
    return sdk
  }

  test('leaves the request its waybill, and so every later one', async () => {
    const sdk = startNodeSdk(install())
    ends.push(instrument())
    const { port, seen } = await serve(() => sdk.shutdown())
    for (const clk of ['alice', 'bob']) {
      expect((await send(port, { headers: { clk } })).text).toBe('served')
      expect(last().lines('baggage')).toEqual([`clk=${clk},waybill-depth=1`])
    }
    expect(seen).toEqual(['alice', 'alice', 'bob', 'bob'])
    expect([events.of('lost'), actions()]).toEqual([[], []])
  })

  test('and takes its context manager along: the request is served, its later calls are told lost', async () => {
    startNodeSdk(install())
    let taken = false
    const kit = createKit({ service: 'order', environment: 'test', interceptors: [route] })
    const handle = async (): Promise<void> => {
      if (!taken) context.disable()
      taken = true
      await httpClients['node:http']!.of(kit)('http://inventory/')
    }
    const listener = waybillListener(kit, (_req, res) => {
      void handle().then(() => res.end('served'))
    })
    const port = await listen(http.createServer(listener))
    expect((await send(port, { headers: { clk: 'alice' } })).text).toBe('served')
    expect(last().lines('clk')).toEqual([])
    expect(events.of('lost').map(({ kind }) => kind)).toEqual(['http'])
    // The next one is kept in the kit's own store.
    expect((await send(port, { headers: { clk: 'bob' } })).text).toBe('served')
    expect(last().lines('clk')).toEqual(['bob'])
  })
})

// Whichever registers second is ignored by OpenTelemetry's API.
describe.each(Object.entries(httpClients))(
  'context open-telemetry/opentelemetry-js#3882, #4209; getsentry/sentry-javascript#12717; microsoft/ApplicationInsights-node.js#1229 two SDKs: %s',
  (_name, client) => {
    test.each(['ours first', 'ours second'])('%s: tag and key arrive at the next service', async (order) => {
      const { propagator: ours } = install()
      ends.push(instrument())
      const stock = new W3CBaggagePropagator()
      for (const each of order === 'ours first' ? [ours, stock] : [stock, ours]) register(each)
      const kit = createKit({ service: 'order', environment: 'test', interceptors: [route] })
      const listener = waybillListener(kit, (_req, res) => {
        client
          .of(kit)('http://inventory/')
          .then(
            () => res.end('served'),
            (error: unknown) => res.writeHead(500).end(String(error)),
          )
      })
      const headers = { baggage: 'clk=alice,shard-key=42,waybill-depth=1' }
      expect((await send(await listen(http.createServer(listener)), { headers })).text).toBe('served')
      expect([last().lines('clk'), last().lines('x-shard-key')]).toEqual([['alice'], ['42']])
      expect(actions()).toEqual(order === 'ours first' ? [] : ['foreign-propagator'])
    })
  },
)

describe('a neighbour that throws', () => {
  const boom = (): never => {
    throw new Error('boom')
  }

  test('an exporter: the request is served and traced on', async () => {
    const otel = install()
    ends.push(instrument())
    const exporter = { export: boom, shutdown: () => Promise.resolve() } as unknown as SpanExporter
    register(otel.propagator, [otel.spanProcessor, new SimpleSpanProcessor(exporter)])
    const { port, seen } = await serve()
    expect((await send(port, { headers: { clk: 'alice' } })).text).toBe('served')
    expect(seen).toEqual(['alice', 'alice'])
    expect(last().lines('baggage')).toEqual(['clk=alice,waybill-depth=1'])
  })

  test.each(['before ours', 'behind ours'])('a span processor, %s: the scope stays', async (place) => {
    const otel = install()
    const throwing: SpanProcessor = {
      onStart: boom,
      onEnd: boom,
      forceFlush: () => Promise.resolve(),
      shutdown: () => Promise.resolve(),
    }
    const { spanProcessor: ours } = otel
    register(otel.propagator, place === 'before ours' ? [throwing, ours] : [ours, throwing])
    // OpenTelemetry hands the error to who starts a span, as it does without the kit.
    const { port, seen } = await serve(() => {
      expect(() => trace.getTracer('test').startSpan('work')).toThrow('boom')
    })
    expect((await send(port, { headers: { clk: 'alice' } })).text).toBe('served')
    expect(seen).toEqual(['alice', 'alice'])
  })
})
