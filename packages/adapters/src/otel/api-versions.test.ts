import { context, propagation } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CBaggagePropagator } from '@opentelemetry/core'
import * as older from 'opentelemetry-api-1.0'
import { createKit, tryCurrentWaybill } from '@waybill/core'
import { recordEvents, withWaybill, type EventRecorder } from '@waybill/core/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { injectingKafka, type MessageHeaders } from '../../test/otel/injecting-kafka.js'
import { headersTo } from '../../test/outgoing.js'
import { kafkaWaybill } from '../kafkajs/index.js'
import { otelWaybill, type OtelWaybill } from './index.js'

const ends: (() => void)[] = []
let events: EventRecorder
let otel: OtelWaybill
beforeEach(() => {
  events = recordEvents(['audit'])
  otel = otelWaybill()
  ends.push(() => events.stop(), otel.undo)
})
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

const kitOf = () => createKit({ service: 'order', environment: 'test' })
const actions = (): string[] => events.of('audit').map(({ action }) => action)
const alices = <T>(fn: () => T): T => withWaybill({ clk: 'alice', shardKey: '42' }, fn)

/** As an SDK does that was installed with another version of the API. */
function register(
  api: typeof older | { context: typeof context; propagation: typeof propagation },
  propagator: unknown,
): void {
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  api.propagation.setGlobalPropagator(propagator as never)
  ends.push(() => {
    api.context.disable()
    api.propagation.disable()
    // The first to register leaves its version there, with which all others are compared.
    Reflect.deleteProperty(globalThis, Symbol.for('opentelemetry.js.api.1'))
  })
}

describe('context signalfx/splunk-otel-js-web#358 an SDK of an older API', () => {
  test('is told of once; the current waybill is where it was', async () => {
    register(older, otel.propagator)
    const kit = kitOf()
    kitOf()
    expect(actions()).toEqual(['foreign-api'])
    expect(events.of('audit')[0]?.facts['remedy']).toMatch(/npm ls @opentelemetry\/api.*#in-bad-company/)
    await alices(async () => {
      await older.context.with(older.ROOT_CONTEXT, () => Promise.resolve())
      expect(tryCurrentWaybill()?.clk).toBe('alice')
      expect(await headersTo(kit, 'http://inventory/')).toMatchObject({ clk: 'alice', 'x-shard-key': '42' })
    })
  })

  test('overwrites the baggage of a message, which bears tag and key in headers of their own', async () => {
    register(older, otel.propagator)
    const sent: MessageHeaders[] = []
    const kafka = injectingKafka((headers) => older.propagation.inject(older.context.active(), headers), sent)
    const held = older.propagation.setBaggage(
      older.context.active(),
      older.propagation.createBaggage({ a: { value: '1' } }),
    )
    await alices(() =>
      older.context.with(held, () =>
        kafkaWaybill(kitOf(), kafka)
          .producer()
          .send({ topic: 'orders', messages: [{ value: '1' }] }),
      ),
    )
    const texts = Object.fromEntries(
      Object.entries(sent[0] ?? {}).map(([name, value]) => [name, String(value)]),
    )
    expect(texts).toEqual({ clk: 'alice', 'x-shard-key': '42', baggage: 'a=1' })
  })

  test('is found out where its propagator is the stock one, too, and refused beside an edge', () => {
    register(older, new W3CBaggagePropagator())
    kitOf()
    expect(actions()).toEqual(['foreign-propagator', 'foreign-api'])
    expect(() => createKit({ service: 'order', environment: 'test', trust: { inbound: 'edge' } })).toThrow(
      expect.objectContaining({ code: 'ERR_WAYBILL_FOREIGN_PROPAGATOR' }),
    )
  })

  test('that comes second changes nothing: OpenTelemetry refuses it, and reads by it what ours holds', () => {
    register({ context, propagation }, otel.propagator)
    register(older, new W3CBaggagePropagator())
    kitOf()
    expect(actions()).toEqual([])
    alices(() => {
      expect(tryCurrentWaybill()?.clk).toBe('alice')
      expect(older.context.active()).toBe(context.active())
    })
  })
})
