import http from 'node:http'
import { context, propagation, trace, type TextMapPropagator } from '@opentelemetry/api'
import {
  CompositePropagator,
  suppressTracing,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core'
import { createKit, currentWaybill, type Kit } from '@waybill/core'
import type { Interceptor } from '@waybill/core/adapter'
import { withWaybill } from '@waybill/core/testing'
import {
  farServer,
  listenOnLoopback,
  namesOfOurs,
  type FarServer,
  type Heard,
} from '@waybill/conformance/wire'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { httpClients } from '../../test/otel/http-clients.js'
import { instrument } from '../../test/otel/instrument.js'
import { registerSdk } from '../../test/otel/sdk.js'
import { waybillListener } from '../node-http/index.js'
import { otelWaybill, type OtelOptions } from './index.js'

type Headers = Record<string, string>

const ends: (() => unknown)[] = []
let service: FarServer
let stranger: FarServer
let kit: Kit

beforeEach(async () => {
  service = await farServer()
  stranger = await farServer()
  ends.push(
    () => service.close(),
    () => stranger.close(),
  )
  const route: Interceptor = (next) => (call) =>
    next(
      call.service === undefined
        ? call
        : { ...call, target: { host: '127.0.0.1', port: service.port, tls: false } },
    )
  kit = createKit({ service: 'order', environment: 'test', interceptors: [route] })
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** An SDK with our propagator, or with another. */
function start(options: OtelOptions = {}, other?: TextMapPropagator): void {
  const otel = otelWaybill(options)
  const baggage = other ?? otel.propagator
  const sdk = registerSdk(
    new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), baggage] }),
  )
  ends.push(otel.undo, sdk.end)
}

/** In the scope of a request, in a span of it, with baggage that a tracer has brought along. */
function inRequest(entries: Headers, fn: () => Promise<unknown>): Promise<unknown> {
  return withWaybill({ clk: 'alice', shardKey: '42' }, () => {
    const baggage = propagation.createBaggage(
      Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, { value }])),
    )
    return context.with(propagation.setBaggage(context.active(), baggage), () =>
      trace.getTracer('test').startActiveSpan('handler', (span) => fn().finally(() => span.end())),
    )
  })
}

async function listen(listener: http.RequestListener): Promise<{ readonly port: number }> {
  const { port, close } = await listenOnLoopback(http.createServer(listener))
  ends.push(close)
  return { port }
}

const last = (server: FarServer): Heard => server.heard.at(-1) as Heard
const OURS = 'clk=alice,shard-key=42,waybill-depth=1'

describe.each(Object.entries(httpClients))('%s', (_name, { plain, of }) => {
  describe.each([
    ['by hand', false],
    ['by hand and instrumented', true],
  ])('%s', (_how, instrumented) => {
    beforeEach(() => {
      if (instrumented) ends.push(instrument())
      start()
    })

    test('context open-telemetry/opentelemetry-ebpf-instrumentation#976 a call to a service bears one baggage header: ours, then foreign members', async () => {
      await inRequest({ a: '1 2' }, () => of(kit)('http://inventory/'))
      expect(last(service).lines('baggage')).toEqual([`${OURS},a=1%202`])
      expect(last(service).lines('clk')).toEqual(['alice'])
      expect(last(service).lines('traceparent')).toHaveLength(instrumented ? 1 : 0)
    })

    test('what the caller put there stays, and comes once', async () => {
      await inRequest({ a: '1', c: '3' }, () => of(kit)('http://inventory/', { baggage: 'a=9,b=2;p=x' }))
      expect(last(service).lines('baggage')).toEqual([`${OURS},a=9,b=2;p=x,c=3`])
    })

    test('members of our names in the baggage of OpenTelemetry leave nowhere', async () => {
      await inRequest({ clk: 'mallory', 'SHARD-key': '7', a: '1' }, async () => {
        await of(kit)('http://inventory/')
        await of(kit)(`${stranger.origin}/`)
        await plain(`${stranger.origin}/`)
      })
      expect(last(service).lines('baggage')).toEqual([`${OURS},a=1`])
      expect(stranger.heard.map(namesOfOurs)).toEqual([[], []])
    })

    test('a call that leaves the fleet bears foreign members alone, once', async () => {
      await inRequest({ a: '1' }, () => of(kit)(`${stranger.origin}/`, { baggage: 'clk=bob,b=2' }))
      expect(last(stranger).lines('baggage')).toEqual(['b=2,a=1'])
      expect(namesOfOurs(last(stranger))).toEqual([])
    })

    test('without foreign members, ours alone', async () => {
      await inRequest({}, () => of(kit)('http://inventory/'))
      expect(last(service).lines('baggage')).toEqual([OURS])
    })

    test('one that is made for the tracer itself bears ours alone', async () => {
      await inRequest({ a: '1' }, () =>
        context.with(suppressTracing(context.active()), () => of(kit)('http://inventory/')),
      )
      expect(last(service).lines('baggage')).toEqual([OURS])
    })

    test('what follows the answer is another call', async () => {
      await inRequest({ a: '1' }, async () => {
        await of(kit)('http://inventory/')
        await plain(`${stranger.origin}/`)
      })
      expect(last(stranger).lines('baggage')).toEqual(instrumented ? ['a=1'] : [])
    })
  })

  test('where no propagator writes baggage, the kit adds none of OpenTelemetry’s', async () => {
    ends.push(instrument())
    start({}, new W3CTraceContextPropagator())
    await inRequest({ a: '1' }, () => of(kit)('http://inventory/'))
    expect(last(service).lines('baggage')).toEqual([OURS])
  })

  describe('instrumented', () => {
    beforeEach(() => {
      ends.push(instrument())
    })

    test('a call that nobody has judged bears foreign members alone', async () => {
      start()
      await inRequest({ a: '1' }, () => plain(`${service.origin}/`))
      expect(last(service).lines('baggage')).toEqual(['a=1'])
      expect(namesOfOurs(last(service))).toEqual([])
    })

    test('with injectEverywhere it bears the waybill, too; one that the kit judged away does not', async () => {
      start({ injectEverywhere: true })
      await inRequest({ a: '1' }, async () => {
        await plain(`${service.origin}/`)
        await of(kit)(`${stranger.origin}/`)
      })
      expect(last(service).lines('baggage')).toEqual([`${OURS},a=1`])
      expect(last(stranger).lines('baggage')).toEqual(['a=1'])
    })

    test('beside the stock propagator a call of a kit bears one header all the same', async () => {
      start({}, new W3CBaggagePropagator())
      await inRequest({ clk: 'mallory', a: '1' }, async () => {
        await of(kit)('http://inventory/')
        await of(kit)(`${stranger.origin}/`)
        await plain(`${service.origin}/`)
      })
      expect(service.heard.map(({ lines }) => lines('baggage'))).toEqual([
        [`${OURS},a=1`],
        ['clk=mallory,a=1'],
      ])
      expect(last(stranger).lines('baggage')).toEqual(['a=1'])
      expect(namesOfOurs(last(stranger))).toEqual([])
    })

    test('beside the stock propagator an untagged request says so, and its outsider’s clk does not count', async () => {
      const inside = createKit({ service: 'inventory', environment: 'test' })
      const seen: unknown[] = []
      const handler = waybillListener(inside, (_req, res) => {
        seen.push(currentWaybill().clk)
        res.end()
      })
      start({}, new W3CBaggagePropagator())
      const server = await listen(handler)
      const route: Interceptor = (next) => (call) =>
        next({ ...call, target: { host: '127.0.0.1', port: server.port, tls: false } })
      const edge = createKit({ service: 'order', environment: 'test', interceptors: [route] })
      const answered = await listen(
        waybillListener(edge, (_req, res) => {
          of(edge)('http://inventory/').then(
            () => res.end(),
            () => res.writeHead(500).end(),
          )
        }),
      )
      // The forwarded header makes the sender a stranger; OpenTelemetry's instrumentation takes its baggage all the same.
      const status = await new Promise((resolve, reject) => {
        http
          .get(
            `http://127.0.0.1:${String(answered.port)}/`,
            { headers: { baggage: 'clk=mallory', 'x-forwarded-for': '203.0.113.9' } },
            (answer) => answer.resume().on('end', () => resolve(answer.statusCode)),
          )
          .on('error', reject)
      })
      expect([status, seen]).toEqual([200, [undefined]])
    })
  })
})
