import { assert, double, array, property } from 'fast-check'
import { expect, test } from 'vitest'
import { quantile, spreadOf } from './statistics.mjs'

test('medians and quartiles of known values', () => {
  expect(spreadOf([3])).toEqual({ median: 3, q1: 3, q3: 3 })
  expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, q1: 1.75, q3: 3.25 })
  // Hyndman and Fan's own way of writing it: type 7 of 1…9.
  expect(spreadOf([9, 1, 8, 2, 7, 3, 6, 4, 5])).toEqual({ median: 5, q1: 3, q3: 7 })
  expect(() => quantile([], 0.5)).toThrow(RangeError)
})

const values = array(double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 60 })

test('a quantile lies between the extremes, grows with p, and leaves so many values below it', () => {
  assert(
    property(values, double({ min: 0, max: 1, noNaN: true }), (given, p) => {
      const before = [...given]
      const found = quantile(given, p)
      expect(given).toEqual(before)
      expect(found).toBeGreaterThanOrEqual(Math.min(...given))
      expect(found).toBeLessThanOrEqual(Math.max(...given))
      expect(quantile(given, 1)).toBeGreaterThanOrEqual(found)
      const below = given.filter((value) => value < found).length
      const above = given.filter((value) => value > found).length
      expect(below).toBeLessThanOrEqual(p * (given.length - 1) + 1)
      expect(above).toBeLessThanOrEqual((1 - p) * (given.length - 1) + 1)
    }),
  )
})
