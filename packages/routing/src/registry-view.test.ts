import { expect, test } from 'vitest'
import { fakeClock } from '@waybill/core/testing'
import { decide } from './decide.js'
import { instanceOf, taggedInstance } from './fixtures/instance-of.js'
import { RegistryView } from './registry-view.js'

const viewOf = (): RegistryView =>
  new RegistryView({ environment: 'test', clock: fakeClock(), leaseMs: 10_000 })

test('an address that is tagged for one service is tagged for all, however it is spelt', () => {
  const view = viewOf()
  const payment = view.index('payment')
  const hosts = ['127.0.0.1', 'localhost', '::1', '::ffff:127.0.0.1']
  for (const host of hosts) view.put(instanceOf({ id: host, service: 'payment', host, port: 7000 }))
  view.put(instanceOf({ id: 'elsewhere', service: 'payment', port: 7001 }))
  const candidates = (): number => decide(payment, {}).bucket?.size ?? 0
  expect(candidates()).toBe(5)
  const before = payment.generation
  view.put(taggedInstance('alice', { service: 'inventory', port: 7000 }))
  expect(candidates()).toBe(1)
  expect(payment.generation).toBeGreaterThan(before)
  view.put(taggedInstance('bob', { service: 'order', host: 'localhost', port: 7000 }))
  view.remove('alice')
  expect(candidates()).toBe(1)
  view.remove('bob')
  expect(candidates()).toBe(5)
})

test('of services without instances only the last 1,000 stay; what has instances or is watched does', () => {
  const view = viewOf()
  view.put(instanceOf({ id: 'a', service: 'inventory' }))
  view.put(instanceOf({ id: 'b', service: 'gone' }))
  const [inventory, gone, watched, asked] = ['inventory', 'gone', 'watched', 'asked'].map((name) =>
    view.index(name),
  )
  const unwatch = view.watch('watched', () => {})
  view.remove('b')
  for (let n = 0; n < 1_000; n += 1) {
    view.index(`n${String(n)}`)
    view.index('asked')
  }
  expect(view.index('asked')).toBe(asked)
  expect(view.index('inventory')).toBe(inventory)
  expect(view.index('watched')).toBe(watched)
  expect(view.index('gone')).not.toBe(gone)
  unwatch()
  for (let n = 0; n < 1_000; n += 1) view.index(`m${String(n)}`)
  expect(view.index('watched')).not.toBe(watched)
})

test('an index that had no instance when the holders changed knows them with its first one', () => {
  const view = viewOf()
  const index = view.index('inventory')
  view.hold(new Map([['alice', 'mallory@mac']]))
  view.hold(new Map([['alice', 'alice@mac']]))
  view.put(taggedInstance('mallory', { clks: ['alice'] }))
  expect(decide(index, { clk: 'alice' }).bucket).toBeUndefined()
  view.put(taggedInstance('alice'))
  expect([...(decide(index, { clk: 'alice' }).bucket ?? [])].map(({ instance }) => instance.id)).toEqual([
    'alice',
  ])
})
