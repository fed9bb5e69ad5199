import { createKit } from '@waybill/core'
import { adopt, carrierOf, performCall, WaybillError } from '@waybill/core/adapter'
import type { Arrival, Call, OutgoingCall, Reply } from '@waybill/core/adapter'
import { memoryRegistry, readInstance, route } from '@waybill/routing'
import { expect, test, vi } from 'vitest'
import { eventNames } from '../../packages/core/src/events.js'
import type * as events from '../../packages/core/src/events.js'

const { made } = vi.hoisted(() => ({ made: [] as string[] }))

// Every event that is handed over, whether or not anybody hears of it.
vi.mock(import('../../packages/core/src/events.js'), async (original) => {
  const real = await original()
  const publish: typeof events.publish = (name, event) => {
    made.push(name)
    real.publish(name, event)
  }
  return { ...real, publish }
})

const reply = (status: number): Reply => ({
  status,
  header: () => undefined,
  value: undefined,
  done: Promise.resolve(),
})

const arrival = (headers: Readonly<Record<string, string>>, fields: Partial<Arrival> = {}): Arrival => ({
  kind: 'http',
  carrier: carrierOf(headers),
  inbound: 'peer',
  peer: { remoteAddress: '127.0.0.1' },
  method: 'GET',
  url: '/',
  ...fields,
})

const outgoing = (url: string, headers: Readonly<Record<string, string>> = {}): OutgoingCall => ({
  kind: 'http',
  url: new URL(url),
  method: 'GET',
  headers: (name) => headers[name],
  body: 'none',
  idempotent: true,
})

/** A life in which each thing happens that has an event of its own. */
async function live(): Promise<Readonly<Record<string, number>>> {
  const reading = readInstance({
    service: 'inventory',
    environment: 'test',
    host: '127.0.0.1',
    port: 8080,
    metadata: { policy: 'strict' },
  })
  if (!('instance' in reading)) throw new Error('unreadable')
  const kit = createKit({
    service: 'order',
    environment: 'test',
    services: { inventory: {}, nobody: {} },
    interceptors: [route({ registry: memoryRegistry({ instances: [reading.instance] }) })],
  })
  const refusing = createKit({
    service: 'payment',
    environment: 'test',
    interceptors: [
      Object.assign((next: (call: Call) => Promise<Reply>) => next, {
        admit: () => new WaybillError('ERR_WAYBILL_MISDIRECTED', {}),
      }),
    ],
  })
  adopt(refusing, arrival({}))
  const send = async (): Promise<Reply> => reply(200)
  const conflicting = { clk: 'alice', baggage: 'clk=bob,shard-key=%00,waybill-depth=1' }
  await adopt(kit, arrival(conflicting)).run(async () => {
    await performCall(kit, outgoing('http://inventory/', { clk: 'carol' }), send)
    await performCall(kit, outgoing('http://example.com/', { clk: 'carol' }), send)
    const failing = performCall(kit, outgoing('http://inventory/'), () => Promise.reject(new Error('reset')))
    await expect(failing).rejects.toThrow()
    const unserved = performCall(kit, outgoing('http://nobody/?'), () =>
      Promise.reject(new WaybillError('ERR_WAYBILL_NO_PROVIDER', {})),
    )
    await expect(unserved).rejects.toThrow()
  })
  await performCall(kit, outgoing('http://inventory/'), send)
  kit.disable()
  const { dropped, ...counters } = kit.counters
  return {
    ...counters,
    dropped: Object.values(dropped).reduce((sum, each) => sum + each, 0),
    refusedArrivals: refusing.counters.refused,
  }
}

test('nobody subscribed: no event is made, whatever happens', async () => {
  const counted = await live()
  for (const [what, count] of Object.entries(counted)) expect({ what, count }).not.toEqual({ what, count: 0 })
  expect(made).toEqual([])
})

test('somebody subscribed: the same life has an event of every sort', async () => {
  const { subscribe } = await import('@waybill/core')
  const ends = eventNames.map((name) => subscribe(name, () => {}))
  await live()
  for (const end of ends) end()
  expect(new Set(made)).toEqual(new Set(eventNames))
})
