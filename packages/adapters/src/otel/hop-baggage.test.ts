import { hasSubscribers } from 'node:diagnostics_channel'
import { context, propagation } from '@opentelemetry/api'
import { W3CBaggagePropagator } from '@opentelemetry/core'
import { Agent, fetch as undiciFetch, request } from 'undici'
import { createKit, type Kit } from '@waybill/core'
import type { Interceptor } from '@waybill/core/adapter'
import { withWaybill } from '@waybill/core/testing'
import { farServer, type FarServer, type Heard } from '@waybill/conformance/wire'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { instrument } from '../../test/otel/instrument.js'
import { registerSdk } from '../../test/otel/sdk.js'
import { fetchWaybill, undiciWaybill } from '../fetch/index.js'
import { otelWaybill } from './index.js'

// Alice's calls hold both connections of a pool. Bob's waits, and is made when she reads her answers, in her context.

const ends: (() => unknown)[] = []
let far: FarServer
let kit: Kit
let pool: Agent
beforeEach(async () => {
  // More than a stream of undici holds unread.
  const answer = 'a'.repeat(300_000)
  far = await farServer(({ url }, response) => response.end(url.startsWith('/held') ? answer : 'ok'))
  pool = new Agent({ connections: 2 })
  ends.push(
    () => far.close(),
    () => pool.close(),
  )
  const route: Interceptor = (next) => (call) =>
    next(
      call.service === undefined
        ? call
        : { ...call, target: { host: '127.0.0.1', port: far.port, tls: false } },
    )
  kit = createKit({ service: 'order', environment: 'test', interceptors: [route] })
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Begins a call; what it returns reads the answer. */
type Begin = (url: string) => Promise<() => Promise<string>>

const clients: Readonly<Record<string, () => Begin>> = {
  'undici.request': () => {
    const dispatcher = pool.compose(undiciWaybill(kit))
    return async (url) => {
      const { body } = await request(url, { dispatcher })
      return () => body.text()
    }
  },
  'undici.fetch': () => {
    const wrapped = fetchWaybill(kit, undiciFetch)
    return async (url) => {
      const response = await wrapped(url, { dispatcher: pool })
      return () => response.text()
    }
  },
}

/** In a request that came in with this `baggage`, as the tracer's propagator reads it. */
function inRequest<T>(waybill: { clk: string; shardKey?: string }, baggage: string, fn: () => T): T {
  return withWaybill(waybill, () => context.with(propagation.extract(context.active(), { baggage }), fn))
}
const asAlice = <T>(fn: () => T): T =>
  inRequest({ clk: 'alice', shardKey: '42' }, 'clk=alice,shard-key=42,waybill-depth=1,a=1', fn)
const asBob = <T>(fn: () => T): T => inRequest({ clk: 'bob' }, 'clk=bob,waybill-depth=1,b=2', fn)

/** What Bob's call bears. */
async function queued(begin: Begin, origin: string): Promise<Heard> {
  const readers = await asAlice(() => Promise.all([begin(`${origin}/held?1`), begin(`${origin}/held?2`)]))
  const bobs = asBob(() => begin(`${origin}/bob`))
  await asAlice(() => Promise.all(readers.map((read) => read())))
  await (
    await bobs
  )()
  return far.heard.at(-1) as Heard
}

const starts = {
  'instrumented before otelWaybill()': (propagator?: W3CBaggagePropagator) => {
    ends.push(instrument())
    const otel = otelWaybill()
    ends.push(otel.undo, registerSdk(propagator ?? otel.propagator).end)
  },
  'instrumented behind otelWaybill()': (propagator?: W3CBaggagePropagator) => {
    const otel = otelWaybill()
    ends.push(otel.undo, registerSdk(propagator ?? otel.propagator).end, instrument())
  },
}

describe.each(Object.entries(clients))('%s', (_client, clientOf) => {
  describe.each(Object.entries(starts))('%s', (_order, start) => {
    test.each([
      ['our propagator', () => undefined],
      ['a plain one', () => new W3CBaggagePropagator()],
    ])('%s: a hop that waits for a connection bears its own baggage, once', async (_name, propagatorOf) => {
      start(propagatorOf())
      const heard = await queued(clientOf(), 'http://inventory')
      expect(heard.url).toBe('/bob')
      expect(heard.lines('baggage')).toEqual(['clk=bob,waybill-depth=1,b=2'])
      expect([heard.lines('clk'), heard.lines('x-shard-key')]).toEqual([['bob'], []])
    })

    test.each([
      ['our propagator', () => undefined],
      ['a plain one', () => new W3CBaggagePropagator()],
    ])('%s: so does one that leaves the fleet', async (_name, propagatorOf) => {
      start(propagatorOf())
      const heard = await queued(clientOf(), far.origin)
      expect(heard.url).toBe('/bob')
      expect(heard.lines('baggage')).toEqual(['b=2'])
    })
  })
})

test('a call past the kit bears what the propagator writes, also while a kit sends', async () => {
  starts['instrumented behind otelWaybill()']()
  const begin = clients['undici.request']!()
  const read = await asAlice(() => begin('http://inventory/held'))
  await asBob(async () => (await request(`${far.origin}/bob`)).body.text())
  expect(far.heard.at(-1)?.lines('baggage')).toEqual(['b=2'])
  await asAlice(read)
})

test('undo listens to nothing', () => {
  const otel = otelWaybill()
  expect(hasSubscribers('undici:request:create')).toBe(true)
  otel.undo()
  expect(hasSubscribers('undici:request:create')).toBe(false)
})
