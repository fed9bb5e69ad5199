import http from 'node:http'
import { propagation, type TextMapPropagator } from '@opentelemetry/api'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { createKit, type Kit, type KitOptions } from '@waybill/core'
import { recordEvents, type EventRecorder } from '@waybill/core/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listen, send } from '../../test/loopback.js'
import { expressWaybill } from '../express/index.js'
import { waybillListener, waybillUpgradeListener, type AdoptOptions } from '../node-http/index.js'
import { otelWaybill } from './index.js'

const ends: (() => void)[] = []
let events: EventRecorder
beforeEach(() => {
  // A kit of this sort stays the thread's kit; the next test is not to be refused for the sake of the last.
  createKit(PEER)
  events = recordEvents(['audit'])
  ends.push(() => events.stop())
})
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

const PEER: KitOptions = { service: 'order', environment: 'test' }
const of = (inbound: 'public' | 'edge' | 'peer'): KitOptions => ({ ...PEER, trust: { inbound } })

function register(...propagators: TextMapPropagator[]): void {
  propagation.setGlobalPropagator(new CompositePropagator({ propagators }))
  ends.push(() => propagation.disable())
}

function install(): TextMapPropagator {
  const { propagator, undo } = otelWaybill()
  ends.push(undo)
  return propagator
}

/** The propagator as another copy of OpenTelemetry, or a bundler, would have it. */
class Renamed implements TextMapPropagator {
  readonly #stock = new W3CBaggagePropagator()
  inject: TextMapPropagator['inject'] = (...args) => this.#stock.inject(...args)
  extract: TextMapPropagator['extract'] = (...args) => this.#stock.extract(...args)
  fields = (): string[] => this.#stock.fields()
}

/** Everything that takes requests in. A message is believed by its topic, a task by who made the worker. */
const inboundAdapters: Readonly<Record<string, (kit: Kit, options: AdoptOptions) => unknown>> = {
  express: (kit, options) => expressWaybill(kit, options),
  'node:http': (kit, options) => waybillListener(kit, () => {}, options),
  'node:http, upgrade': (kit, options) => waybillUpgradeListener(kit, () => {}, options),
}

const told = (): number => events.of('audit').filter(({ action }) => action === 'foreign-propagator').length

describe('a plain propagator', () => {
  test.each([new W3CBaggagePropagator(), new Renamed()])('before all else is told of once', (plain) => {
    register(new W3CTraceContextPropagator(), plain)
    install()
    createKit(PEER)
    createKit(PEER)
    expect(told()).toBe(1)
    const [event] = events.of('audit')
    expect(event?.facts['breaks']).toMatch(/past the kits.*outside of the fleet.*not believed/)
    expect(event?.facts['remedy']).toMatch(/otelWaybill\(\).*docs\/opentelemetry\.md#the-propagator/)
  })

  test('beside ours is told of, too', () => {
    const ours = install()
    register(ours, new W3CBaggagePropagator())
    createKit(PEER)
    expect(told()).toBe(1)
  })

  test('that comes late is told of with the next request, which is served', async () => {
    install()
    const handler = waybillListener(createKit(PEER), (_req, res) => res.end('served'))
    const port = await listen(http.createServer(handler))
    expect((await send(port)).text).toBe('served')
    expect(told()).toBe(0)
    register(new W3CBaggagePropagator())
    expect((await send(port)).text).toBe('served')
    expect((await send(port)).text).toBe('served')
    expect(told()).toBe(1)
  })

  test('is told of when the first listener comes', () => {
    events.stop()
    register(new W3CBaggagePropagator())
    install()
    createKit(PEER)
    events = recordEvents(['audit'])
    createKit(PEER)
    expect(told()).toBe(1)
  })

  describe.each(['public', 'edge'] as const)('with inbound %s is refused', (inbound) => {
    const refused = expect.objectContaining({
      code: 'ERR_WAYBILL_FOREIGN_PROPAGATOR',
      facts: { inbound },
    }) as Error

    test('by createKit', () => {
      register(new W3CBaggagePropagator())
      install()
      expect(() => createKit(of(inbound))).toThrow(refused)
    })

    test('by otelWaybill where the kit was first, and nothing is installed', () => {
      register(new W3CBaggagePropagator())
      createKit(of(inbound))
      expect(() => otelWaybill()).toThrow(refused)
      expect(() => createKit(of(inbound))).not.toThrow()
    })

    test.each(Object.entries(inboundAdapters))('by a listener of that sort: %s', (_name, open) => {
      register(new W3CBaggagePropagator())
      install()
      const kit = createKit(PEER)
      expect(() => open(kit, { inbound })).toThrow(refused)
      expect(() => open(kit, { inbound: 'peer' })).not.toThrow()
      expect(() => open(kit, {})).not.toThrow()
    })
  })
})

test.each([
  ['ours', (): TextMapPropagator[] => [new W3CTraceContextPropagator(), install()]],
  ['none', (): TextMapPropagator[] => (install(), [])],
  ['trace context alone', (): TextMapPropagator[] => (install(), [new W3CTraceContextPropagator()])],
  [
    'one that throws',
    (): TextMapPropagator[] => {
      install()
      const inject = (): never => {
        throw new Error('broken')
      }
      return [{ inject, extract: (held) => held, fields: () => [] }]
    },
  ],
])('%s is none', (_name, propagators) => {
  const [first, ...rest] = propagators()
  if (first !== undefined) {
    propagation.setGlobalPropagator(
      rest.length === 0 ? first : new CompositePropagator({ propagators: [first, ...rest] }),
    )
    ends.push(() => propagation.disable())
  }
  expect(() => createKit(of('public'))).not.toThrow()
  expect(told()).toBe(0)
})
