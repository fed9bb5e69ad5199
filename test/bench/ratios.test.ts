import { expect, test } from 'vitest'
import { CONTROL } from './paired-run.mjs'
import { ratiosOf, ratiosOverBase } from './ratios.mjs'
import { spreadOf } from './statistics.mjs'

const rounds = [
  { before: 10, after: 30, slices: { bare: 20, kit: 22, hand: 11 } },
  { before: 30, after: 10, slices: { bare: 20, kit: 10, hand: 20 } },
]

test('a ratio is a slice over each of the base slices around it', () => {
  expect(ratiosOverBase(rounds, 'kit')).toEqual([2.2, 22 / 30, 1 / 3, 1])
})

test('noise that only adds leaves a control at 1', () => {
  const noisy = [10, 11, 13, 17, 25, 41]
  const all = noisy.flatMap((before) =>
    noisy.flatMap((after) => noisy.map((control) => ({ before, after, slices: { [CONTROL]: control } }))),
  )
  expect(spreadOf(ratiosOverBase(all, CONTROL)).median).toBe(1)
  const overMeans = all.map(({ before, after, slices }) => slices[CONTROL] / ((before + after) / 2))
  expect(spreadOf(overMeans).median).toBeLessThan(0.95)
})

test('a ratio of two variants is of slices of the same round; of one to itself it is one', () => {
  expect(ratiosOf(rounds, 'bare', 'bare', 'bare')).toEqual([1, 1])
  expect(ratiosOf(rounds, 'kit', 'hand', 'bare')).toEqual([2, 0.5])
  expect(() => ratiosOf(rounds, 'kit', 'otel', 'bare')).toThrow('no slice of otel')
})
