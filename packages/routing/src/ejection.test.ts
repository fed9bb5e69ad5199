import { fakeClock } from '@waybill/core/testing'
import type { FakeClock } from '@waybill/core/testing'
import { expect, test } from 'vitest'
import { decide } from './decide.js'
import { Ejection } from './ejection.js'
import type { Outcome } from './ejection.js'
import { ciInstance, taggedInstance } from './fixtures/instance-of.js'
import { ServiceIndex } from './service-index.js'

interface World {
  readonly index: ServiceIndex
  readonly clock: FakeClock
  candidates(): number
  report(id: string, outcome: Outcome, times?: number): void
}

function world(size: number): World {
  const clock = fakeClock()
  const index = new ServiceIndex('inventory')
  for (let n = 0; n < size; n += 1) index.put(ciInstance(n))
  const ejection = new Ejection({ clock })
  return {
    index,
    clock,
    candidates: () => index.view().untagged.size,
    report(id, outcome, times = 1) {
      const provider = index.provider(id)
      for (let n = 0; n < times; n += 1) if (provider) ejection.report(index, provider, outcome)
    },
  }
}

test('a refused connection takes an instance out, five failed answers in a row do', () => {
  const { report, candidates } = world(10)
  report('ci0', 'unreachable')
  expect(candidates()).toBe(9)
  report('ci1', 'failed', 4)
  report('ci1', 'well')
  report('ci1', 'failed', 4)
  expect(candidates()).toBe(9)
  report('ci1', 'failed')
  expect(candidates()).toBe(8)
})

test('no more than the cap are out, one always may be, and never the last', () => {
  const ten = world(10)
  for (let n = 0; n < 10; n += 1) ten.report(`ci${String(n)}`, 'unreachable')
  expect(ten.candidates()).toBe(8)
  const two = world(2)
  two.report('ci0', 'unreachable')
  two.report('ci1', 'unreachable')
  expect(two.candidates()).toBe(1)
  const one = world(1)
  one.report('ci0', 'unreachable')
  expect(one.candidates()).toBe(1)
})

test('an ejected instance comes back, and stays out longer each time it fails again', () => {
  const { report, candidates, clock } = world(5)
  report('ci0', 'unreachable')
  clock.advance(9_999)
  expect(candidates()).toBe(4)
  clock.advance(1)
  expect(candidates()).toBe(5)
  report('ci0', 'unreachable')
  clock.advance(19_999)
  expect(candidates()).toBe(4)
  clock.advance(1)
  expect(candidates()).toBe(5)
  report('ci0', 'well')
  report('ci0', 'unreachable')
  clock.advance(10_000)
  expect(candidates()).toBe(5)
})

test('one that the cap keeps is healthy again with its first good answer', () => {
  const { report, index } = world(2)
  report('ci0', 'unreachable')
  report('ci1', 'unreachable')
  expect(index.provider('ci1')?.health).toMatchObject({ failing: true, ejected: false })
  report('ci1', 'well')
  expect(index.provider('ci1')?.health.failing).toBe(false)
})

test('a late end of an old relapse does not cut a new one short', () => {
  const { report, index, clock } = world(2)
  report('ci0', 'unreachable')
  report('ci1', 'unreachable')
  clock.advance(5_000)
  report('ci1', 'well')
  report('ci1', 'unreachable')
  clock.advance(5_000)
  expect(index.provider('ci1')?.health.failing).toBe(true)
})

test('routing-13 a tagged instance is never ejected: its owner may stand at a breakpoint', () => {
  const { report, index } = world(3)
  index.put(taggedInstance('alice'))
  report('alice', 'failed', 100)
  report('alice', 'unreachable', 100)
  expect(decide(index, { clk: 'alice' }).reason).toBe('TAG_EXACT')
})

test('an instance that leaves while it is out is forgotten', () => {
  const { report, index, clock, candidates } = world(3)
  report('ci0', 'unreachable')
  index.delete('ci0')
  expect(index.ejectedCount).toBe(0)
  index.put(ciInstance(0))
  expect(candidates()).toBe(3)
  clock.advance(60_000)
  expect(candidates()).toBe(3)
})
