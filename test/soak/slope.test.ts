import { expect, test } from 'vitest'
import { isFlat, LEAK, slopeOf, type Point } from './slope.js'

/** Twenty samples, 8,000 requests and messages apart, that differ from a line by a fixed pattern of noise. */
const samples = (perUnit: number, noiseBytes: number): Point[] =>
  Array.from({ length: 20 }, (_, at) => ({
    done: at * 8000,
    bytes: 3e7 + at * 8000 * perUnit + noiseBytes * Math.sin(at * at),
  }))

test('the slope of a line is found through noise', () => {
  const { median, low, high } = slopeOf(samples(LEAK, 200_000))
  expect(median).toBeGreaterThan(LEAK - 5)
  expect(median).toBeLessThan(LEAK + 5)
  expect(low).toBeLessThan(median)
  expect(high).toBeGreaterThan(median)
})

test('one wild sample moves nothing', () => {
  const wild = samples(0, 1000)
  wild[19] = { done: 19 * 8000, bytes: 9e7 }
  expect(isFlat(slopeOf(wild))).toBe(true)
})

test('noise is flat, a small leak is not, and neither is noise in which a leak could hide', () => {
  expect(isFlat(slopeOf(samples(0, 200_000)))).toBe(true)
  expect(isFlat(slopeOf(samples(LEAK, 200_000)))).toBe(false)
  expect(isFlat(slopeOf(samples(0, 10_000_000)))).toBe(false)
})

test('a heap that shrinks is flat', () => {
  expect(isFlat(slopeOf(samples(-LEAK, 1000)))).toBe(true)
})
