import { expect, test } from 'vitest'
import { PeakEwma } from './peak-ewma.js'

test('a slower answer counts at once and whole, a faster one by and by', () => {
  const load = new PeakEwma()
  load.observe(0, 10)
  load.observe(10, 500)
  expect(load.cost(10)).toBe(500)
  load.observe(20, 10)
  expect(load.cost(20)).toBeGreaterThan(490)
  load.observe(30_000, 10)
  expect(load.cost(30_000)).toBeLessThan(60)
})

test('the cost is latency times the calls that would be in flight', () => {
  const load = new PeakEwma()
  load.observe(0, 10)
  load.begin()
  load.begin()
  expect(load.cost(0)).toBe(30)
  load.end()
  expect(load.cost(0)).toBe(20)
})

test('one that was never measured is tried first, and once', () => {
  const measured = new PeakEwma()
  measured.observe(0, 60_000)
  const fresh = new PeakEwma()
  expect(fresh.cost(0)).toBe(0)
  fresh.begin()
  expect(fresh.cost(0)).toBeGreaterThan(measured.cost(0))
})
