import { expect, test } from 'vitest'
import type { Goal } from './goals.mjs'
import { CONTROL, FULL, type Cell } from './paired-run.mjs'
import { fingerprint } from './fingerprint.mjs'
import { mergeResults, rowsOf, type Results, type Row } from './results.mjs'

const cell: Cell = {
  name: '0 awaits',
  base: 'bare',
  drive: 'self',
  sliceUnits: 1,
  warmUpUnits: 1,
  variants: { bare: { subject: '' }, hand: { subject: '' }, kit: { subject: '' } },
}
const rounds = [1, 2, 3].map((factor) => ({
  before: 10 * factor,
  after: 10 * factor,
  slices: { bare: 10 * factor, hand: 11 * factor, kit: 12 * factor, [CONTROL]: 10 * factor },
}))
const goal: Goal = {
  id: '',
  text: '',
  suite: 's',
  cell: '0 awaits',
  variant: 'kit',
  over: 'bare',
  limits: {},
}
const at = { suite: 's', cell, effort: FULL, node: '20.20.2', date: '2026-01-31' }

test('each variant has a row over the base, and each figure of a goal that is over another variant one of its own', () => {
  const beside = [
    { words: 'by hand', over: 'hand' },
    { words: 'elsewhere', cell: '20 awaits', over: 'hand' },
  ]
  const elsewhere = { ...goal, suite: 't', over: 'hand', variant: 'bare' }
  const rows = rowsOf(at, rounds, [{ ...goal, beside }, elsewhere])
  expect(rows.map(({ variant, over }) => [variant, over])).toEqual([
    ['bare', 'bare'],
    ['hand', 'bare'],
    ['kit', 'bare'],
    ['kit', 'hand'],
  ])
  expect(rows[2]).toMatchObject({
    ratio: 1.2,
    quartiles: [1.2, 1.2],
    aa: 1,
    pairs: 3,
    perUnit: 24,
    unit: 'µs',
    measuredBy: fingerprint(cell, { variant: 'kit', over: 'bare' }, FULL),
  })
})

test('a cell without a control has none in its rows', () => {
  const [row] = rowsOf({ ...at, cell: { ...cell, control: false } }, rounds, [])
  expect(row).not.toHaveProperty('aa')
})

const machine = { cpu: 'a CPU', cores: 2, kernel: 'Linux 6', pinned: true }
const rowOf = (name: string, node: string, ratio: number) => ({ name, node, ratio }) as unknown as Row
const resultsOf = (...rows: Row[]): Results => ({ machine, rows })

test('a part of a run takes the place of its former rows, whatever the patch of Node, and leaves all others', () => {
  const former = resultsOf(rowOf('a', '20.20.1', 1), rowOf('a', '22.1.0', 2), rowOf('b', '20.20.1', 3))
  const merged = mergeResults(former, resultsOf(rowOf('a', '20.20.2', 9), rowOf('c', '20.20.2', 8)))
  expect(merged.rows.map(({ name, node, ratio }) => [name, node, ratio])).toEqual([
    ['a', '20.20.2', 9],
    ['a', '22.1.0', 2],
    ['b', '20.20.1', 3],
    ['c', '20.20.2', 8],
  ])
  expect(mergeResults(undefined, former)).toBe(former)
})

test('figures of two machines are never mixed', () => {
  const fresh = { machine: { ...machine, cpu: 'another CPU' }, rows: [] }
  expect(() => mergeResults(resultsOf(), fresh)).toThrow(
    'another machine (a CPU, 2 cores); begin anew with --fresh',
  )
})
