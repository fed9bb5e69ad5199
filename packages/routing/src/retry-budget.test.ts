import { expect, test } from 'vitest'
import { RetryBudget } from './retry-budget.js'

/** Spreads calls evenly over 10 s, each wanting a retry. @returns how many got one. */
function retriesOf(calls: number): number {
  const budget = new RetryBudget()
  let retries = 0
  for (let n = 0; n < calls; n += 1) budget.call(1_000_000 + (n * 9_990) / calls)
  for (let n = 0; n < calls; n += 1) if (budget.take(1_009_990)) retries += 1
  return retries
}

test('a tenth of the calls of the last 10 s, or three per second where that is more', () => {
  expect(retriesOf(1000)).toBe(100)
  expect(retriesOf(250)).toBe(30)
  expect(retriesOf(2)).toBe(2)
})

test('what is older than the window neither pays for retries nor counts as one', () => {
  const budget = new RetryBudget()
  for (let n = 0; n < 10_000; n += 1) budget.call(0)
  const take = (now: number): number => {
    let taken = 0
    while (budget.take(now)) taken += 1
    return taken
  }
  expect(take(0)).toBe(1000)
  expect(take(9_000)).toBe(0)
  expect(take(10_500)).toBe(30)
  expect(take(15_000)).toBe(0)
  expect(take(1e9)).toBe(30)
})
