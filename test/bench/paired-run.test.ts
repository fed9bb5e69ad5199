import { expect, test } from 'vitest'
import {
  CONTROL,
  FINE,
  FULL,
  FULL_OVER_SOCKETS,
  rotated,
  runCell,
  type Cell,
  type Suite,
} from './paired-run.mjs'

test.each([FULL, FINE, FULL_OVER_SOCKETS])(
  'a full run takes at least 20 pairs: %o',
  ({ generations, rounds }) => {
    expect(generations * rounds).toBeGreaterThanOrEqual(20)
  },
)

test('in as many turns as there are things, each has been at each place', () => {
  const turns = [0, 1, 2, 3].map((turn) => rotated(['a', 'b', 'c'], turn))
  expect(turns.map((turn) => turn.join(''))).toEqual(['abc', 'bca', 'cab', 'abc'])
  expect(rotated([], 1)).toEqual([])
})

const cellWith = (subject: string): Cell => ({
  name: 'sum',
  base: 'loop',
  drive: 'self',
  sliceUnits: 50,
  warmUpUnits: 50,
  variants: { loop: { subject: 'sample/loop.cjs' }, other: { subject: `sample/${subject}.cjs` } },
})

const run = (cell: Cell, effort = { generations: 1, atLeastMs: 0, rounds: 2, moreGenerations: 0 }) => {
  const suite: Suite = { name: 'sample', title: 'a suite of the test', cells: [cell] }
  return runCell(suite, cell, { node: process.execPath, effort })
}

test('a run measures every variant and a second copy of the base, in rounds that share their base slices', async () => {
  const measured = await run(cellWith('loop'))
  expect(measured).toHaveLength(2)
  for (const { slices, before, after } of measured) {
    expect(Object.keys(slices).sort()).toEqual([CONTROL, 'loop', 'other'])
    expect(slices['loop']).toBe((before + after) / 2)
  }
  expect(measured[0]?.after).toBe(measured[1]?.before)
})

test('the order within a round goes on changing from round to round, over generations too', async () => {
  const effort = { generations: 2, atLeastMs: 0, rounds: 1, moreGenerations: 0 }
  // Keys stand in the order in which the slices were measured; the base is measured last.
  const orders = (await run(cellWith('loop'), effort)).map(({ slices }) => Object.keys(slices))
  expect(orders).toEqual([
    ['other', CONTROL, 'loop'],
    [CONTROL, 'other', 'loop'],
  ])
})

test('a cell without a control measures no second copy of the base, and does not wait for calm', async () => {
  const effort = { generations: 1, atLeastMs: 0, rounds: 1, moreGenerations: 3 }
  const measured = await run({ ...cellWith('loop'), control: false }, effort)
  expect(measured.map(({ slices }) => Object.keys(slices))).toEqual([['other', 'loop']])
})

test('what a slice measures along goes to the variants that are named so, in the same rounds', async () => {
  const along = { subject: 'sample/measured-along.cjs', alongWith: 'other' }
  const cell = cellWith('measured-along')
  const measured = await run({ ...cell, variants: { ...cell.variants, along } })
  expect(measured.map(({ slices }) => [slices['other'], slices['along'], slices['unwanted']])).toEqual([
    [2, 3, undefined],
    [2, 3, undefined],
  ])
})

test('a variant that gives another answer fails the run before anything is measured', async () => {
  await expect(run(cellWith('wrong-answer'))).rejects.toThrow(
    'sample/sum/other gives another answer than loop: wanted 0, got 1',
  )
})

test('a wrong answer within a slice fails the run and names where', async () => {
  await expect(run(cellWith('wrong-later'))).rejects.toThrow(/^sample\/sum\/other: .*the handler saw no key/)
})

test('a subject that cannot be loaded fails the run and names where', async () => {
  await expect(run(cellWith('nowhere'))).rejects.toThrow(/^sample\/sum\/other: the subject's process ended/)
})

test('a cell whose base is none of its variants is a mistake', async () => {
  await expect(run({ ...cellWith('loop'), base: 'bare' })).rejects.toThrow(
    'sample/sum: there is no variant bare',
  )
})
