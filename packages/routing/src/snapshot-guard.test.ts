import { fakeClock } from '@waybill/core/testing'
import { expect, test } from 'vitest'
import { decide } from './decide.js'
import { ciInstance, taggedInstance } from './fixtures/instance-of.js'
import type { Instance } from './instance.js'
import { ServiceIndex } from './service-index.js'
import { SnapshotGuard } from './snapshot-guard.js'

const LEASE_MS = 15_000

function world(...first: readonly Instance[]) {
  const clock = fakeClock()
  const index = new ServiceIndex('inventory')
  const told: string[] = []
  const guard = new SnapshotGuard(index, {
    clock,
    leaseMs: LEASE_MS,
    publish: ({ kind, instance }) => told.push(`${kind} ${instance.id}`),
  })
  /** "These are all", as a view says it. */
  const replace = (all: readonly Instance[]): void => {
    const named = new Set(all.map(({ id }) => id))
    guard.drop([...index].map(({ id }) => id).filter((id) => !named.has(id)))
    for (const instance of all) guard.put(instance)
  }
  replace(first)
  const there = (): readonly string[] => [...index].map(({ id }) => id).sort()
  const told_ = told.splice(0)
  expect(told_).toHaveLength(first.length)
  return { clock, index, guard, replace, there, told }
}

const four = [1, 2, 3, 4].map((n) => ciInstance(n))

test('routing-78 half of four untagged at once is held for one lease as stale, then gone', () => {
  const { replace, there, clock, index, told } = world(...four)
  replace(four.slice(0, 2))
  expect(there()).toEqual(['ci1', 'ci2', 'ci3', 'ci4'])
  expect(decide(index, {}).notes).toEqual(['STALE_SNAPSHOT'])
  replace(four.slice(0, 2))
  clock.advance(LEASE_MS - 1)
  expect(there()).toHaveLength(4)
  clock.advance(1)
  expect(there()).toEqual(['ci1', 'ci2'])
  expect(decide(index, {}).notes).toEqual([])
  expect(told).toEqual(['removed ci3', 'removed ci4'])
})

test('routing-78 one of four, or all of three, is believed at once', () => {
  const one = world(...four)
  one.replace(four.slice(1))
  expect(one.there()).toEqual(['ci2', 'ci3', 'ci4'])
  const three = world(...four.slice(1))
  three.replace([])
  expect(three.there()).toEqual([])
})

test('routing-78 tagged instances leave at once and do not count', () => {
  const { replace, there, index } = world(...four, taggedInstance('alice'), taggedInstance('bob'))
  replace([])
  expect(there()).toEqual(['ci1', 'ci2', 'ci3', 'ci4'])
  expect(decide(index, { clk: 'alice' }).reason).toBe('BASELINE_ANY')
})

test('what comes back during the hold ends it, with nothing published', () => {
  const { replace, there, clock, index, told } = world(...four)
  replace([])
  replace(four)
  expect(index.held).toBe(false)
  clock.advance(LEASE_MS * 2)
  expect(there()).toHaveLength(4)
  expect(told).toEqual([])
})

test('during a hold one of the rest may still leave, and one that deregisters is not held', () => {
  const ten = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => ciInstance(n))
  const { guard, replace, there } = world(...ten)
  replace(ten.slice(0, 5))
  replace(ten.slice(1, 5))
  expect(there()).not.toContain('ci1')
  guard.remove('ci10')
  expect(there()).not.toContain('ci10')
  expect(there()).toHaveLength(8)
})

test('what is held already does not hide that half of the rest vanishes too', () => {
  const eight = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => ciInstance(n))
  const { replace, there } = world(...eight)
  replace(eight.slice(0, 4))
  replace(eight.slice(0, 2))
  expect(there()).toHaveLength(8)
})

test('routing-89 a snapshot without change publishes nothing', () => {
  const { replace, told, index } = world(...four)
  const before = index.generation
  replace(four.map((each) => ({ ...each })))
  expect(told).toEqual([])
  expect(index.generation).toBe(before)
})
