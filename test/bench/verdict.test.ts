import { expect, test } from 'vitest'
import { isCalm, verdictOf } from './verdict.mjs'

test('a figure at its limit is met, one above it is missed', () => {
  expect(verdictOf(1.05, 1.05, 1)).toBe('met')
  expect(verdictOf(1.0501, 1.05, 1)).toBe('missed')
})

test('with a control outside 0.95 to 1.05 nothing is concluded, neither good nor bad', () => {
  expect(verdictOf(0.5, 1.05, 1.051)).toBe('inconclusive')
  expect(verdictOf(5, 1.05, 0.949)).toBe('inconclusive')
  expect(verdictOf(0.5, 1.05, 0.95)).toBe('met')
  expect(verdictOf(5, 1.05, 1.05)).toBe('missed')
  expect(isCalm(Number.NaN)).toBe(false)
})

test('where there is no control the figure stands alone', () => {
  expect(verdictOf(1, 1, undefined)).toBe('met')
  expect(verdictOf(1.1, 1, undefined)).toBe('missed')
})
