import { expect, test } from 'vitest'
import { CONTROL, type Cell } from './paired-run.mjs'
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
const goalOf = (id: string, over: string, limits: Record<number, number>) => {
  return { id, text: '', suite: 's', cell: '0 awaits', variant: 'kit', over, limits }
}
const at = { suite: 's', cell, node: '20.20.2', date: '2026-01-31' }

test('each variant has a row over the base, and each goal over another variant one of its own', () => {
  const goals = [goalOf('over-bare', 'bare', { 20: 1.1 }), goalOf('over-hand', 'hand', { 20: 1.1, 22: 1 })]
  const rows = rowsOf(at, rounds, goals)
  expect(rows.map(({ variant, over, goal, verdict }) => [variant, over, goal, verdict])).toEqual([
    ['bare', 'bare', undefined, undefined],
    ['hand', 'bare', undefined, undefined],
    ['kit', 'bare', 'over-bare', 'missed'],
    ['kit', 'hand', 'over-hand', 'met'],
  ])
  expect(rows[2]).toMatchObject({
    ratio: 1.2,
    quartiles: [1.2, 1.2],
    aa: 1,
    pairs: 3,
    perUnit: 24,
    unit: 'µs',
    limit: 1.1,
  })
})

test('a goal says nothing of a Node version for which it has no limit, nor of a cell that is not its own', () => {
  const elsewhere = { ...goalOf('elsewhere', 'bare', { 20: 1 }), cell: '20 awaits' }
  const rows = rowsOf(at, rounds, [goalOf('on-24', 'bare', { 24: 1 }), elsewhere])
  expect(rows.every(({ goal }) => goal === undefined)).toBe(true)
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
