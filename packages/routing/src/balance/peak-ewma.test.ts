import { expect, test } from 'vitest'
import { IDLE, PeakEwma } from './peak-ewma.js'

/** What the load comes to in milliseconds at a time, as far as it was measured. */
function costAt(now: number, { load }: PeakEwma): number {
  return Math.exp(load - now / 10_000)
}

test('a slower answer counts at once and whole, a faster one by and by', () => {
  const load = new PeakEwma()
  load.observe(0, 10)
  load.observe(10, 500)
  expect(costAt(10, load)).toBeCloseTo(500)
  load.observe(20, 10)
  expect(costAt(20, load)).toBeGreaterThan(490)
  load.observe(30_000, 10)
  expect(costAt(30_000, load)).toBeLessThan(60)
})

test('the load is latency times the calls that would be in flight', () => {
  const load = new PeakEwma()
  load.observe(0, 10)
  load.begin()
  load.begin()
  expect(costAt(0, load)).toBeCloseTo(30)
  load.end()
  expect(costAt(0, load)).toBeCloseTo(20)
})

test('an old peak weighs less than a young one, without a look at the clock', () => {
  const old = new PeakEwma()
  old.observe(0, 500)
  const young = new PeakEwma()
  young.observe(20_000, 100)
  expect(old.load).toBeLessThan(young.load)
  expect(costAt(20_000, old)).toBeCloseTo(500 * Math.exp(-2))
})

test('one that was never measured is tried first, and once', () => {
  const measured = new PeakEwma()
  measured.observe(0, 60_000)
  const fresh = new PeakEwma()
  expect(fresh.load).toBe(IDLE)
  fresh.begin()
  expect(fresh.load).toBeGreaterThan(measured.load)
})
