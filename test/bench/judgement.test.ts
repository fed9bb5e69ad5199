import { expect, test } from 'vitest'
import { fingerprint } from './fingerprint.mjs'
import type { Goal } from './goals.mjs'
import { judged } from './judgement.mjs'
import { claimTable, goalTable, suiteTables } from './page.mjs'
import { FULL, FULL_OVER_SOCKETS, QUICK, type Cell, type Suite } from './paired-run.mjs'
import type { Results, Row } from './results.mjs'

const cell: Cell = {
  name: '0 awaits',
  base: 'bare',
  drive: 'self',
  sliceUnits: 1,
  warmUpUnits: 1,
  variants: { bare: { subject: 'b' }, kit: { subject: 'k' } },
}
const figure = { suite: 's', cell: '0 awaits', variant: 'kit', over: 'bare' }
const goal: Goal = {
  ...figure,
  id: 'express-over-bare',
  text: 'what is compared',
  limits: { 20: 1.1, 22: 1.1 },
}
const suites: readonly Suite[] = [{ name: 's', title: 'a suite of the test', cells: [cell] }]

const rowOn = (node: string, more: Partial<Row> = {}): Row => ({
  ...{ ...figure, name: 's: 0 awaits: kit over bare', node, date: '2026-01-31' },
  ...{ ratio: 1.05, quartiles: [1, 1.1], aa: 1, pairs: 25, perUnit: 12, unit: 'µs' },
  measuredBy: fingerprint(cell, figure, FULL),
  ...more,
})
const resultsOf = (...rows: Row[]): Results => ({
  machine: { cpu: 'a CPU', cores: 2, kernel: 'Linux 6', pinned: true },
  rows,
})
const verdictsOf = (results: Results, goals = [goal], of = suites) =>
  judged(results, goals, of).rows.map(({ goal: id, limit, verdict }) => [id, limit, verdict])

test('a row is judged by the limit of its Node version, and by none where there is none', () => {
  expect(verdictsOf(resultsOf(rowOn('20.20.2'), rowOn('24.1.0')))).toEqual([
    ['express-over-bare', 1.1, 'met'],
    [undefined, undefined, undefined],
  ])
})

test('a verdict does not outlive a limit that has changed', () => {
  const results = judged(resultsOf(rowOn('20.20.2')), [goal], suites)
  const stricter = { ...goal, limits: { 20: 1.01 } }
  expect(verdictsOf(results, [stricter])).toEqual([['express-over-bare', 1.01, 'missed']])
  expect(goalTable(results, [stricter], suites)).toContain('**missed** 1.05 [1.00–1.10], ≤ 1.01')
  expect(verdictsOf(results, [])).toEqual([[undefined, undefined, undefined]])
})

test.each([
  ['of a former time', {}, { measuredBy: undefined }],
  ['with other requests', { tagged: true }, {}],
  ['in slices of another size', { sliceUnits: 2 }, {}],
  ['by another subject', { variants: { ...cell.variants, kit: { subject: 'other' } } }, {}],
  ['with little effort', {}, { measuredBy: fingerprint(cell, figure, QUICK) }],
])('a figure %s is stale: shown, without a verdict, and claimed nowhere', (_, change, more) => {
  const results = judged(resultsOf(rowOn('20.20.2', { verdict: 'met', ...more } as Partial<Row>)), [goal], [])
  const changed = [{ name: 's', title: '', cells: [{ ...cell, ...change }] }]
  expect(verdictsOf(results, [goal], changed)).toEqual([['express-over-bare', 1.1, undefined]])
  expect(goalTable(results, [goal], changed)).toContain('| _stale_ 1.05 [1.00–1.10], ≤ 1.1 |')
  expect(suiteTables(results, changed)).toContain('| 1.05 [1.00–1.10] † |')
  expect(claimTable(results, [goal], changed)).toContain('| what is compared | not measured |')
})

test('a variant that is not in a figure may come and go', () => {
  const more = [
    { name: 's', title: '', cells: [{ ...cell, variants: { ...cell.variants, x: { subject: 'x' } } }] },
  ]
  expect(verdictsOf(resultsOf(rowOn('20.20.2')), [goal], more)).toEqual([['express-over-bare', 1.1, 'met']])
})

test('over sockets a figure is current if it was measured with the effort for sockets', () => {
  const sockets = { ...cell, drive: 'sockets' as const }
  const of = [{ name: 's', title: '', cells: [sockets] }]
  const verdictAfter = (effort: typeof FULL) =>
    verdictsOf(
      resultsOf(rowOn('20.20.2', { measuredBy: fingerprint(sockets, figure, effort) })),
      [goal],
      of,
    )[0]?.[2]
  expect([verdictAfter(FULL), verdictAfter(FULL_OVER_SOCKETS)]).toEqual([undefined, 'met'])
})

test('figures beside a goal stand behind its verdict, and are not judged', () => {
  const beside = [{ words: 'bare itself', variant: 'bare' }]
  const other = rowOn('20.20.2', {
    variant: 'bare',
    ratio: 9,
    measuredBy: fingerprint(cell, { variant: 'bare', over: 'bare' }, FULL),
  })
  expect(goalTable(resultsOf(rowOn('20.20.2'), other), [{ ...goal, beside }], suites)).toContain(
    '**met** 1.05 [1.00–1.10], ≤ 1.1; bare itself 9.00 |',
  )
})

test('the README tells what is too noisy from what is not offered', () => {
  const results = resultsOf(rowOn('20.20.2'), rowOn('22.1.0', { aa: 0.9 }), rowOn('24.1.0'))
  expect(claimTable(results, [goal], suites)).toContain(
    '| what is compared | 1.05 | too noisy | not offered |',
  )
})

test('a table without a control tells pairs alone', () => {
  const { aa: _, ...base } = rowOn('20.20.2', { variant: 'bare' })
  const still = [{ name: 's', title: '', cells: [{ ...cell, control: false }] }]
  expect(suiteTables(resultsOf(base), still)).toContain('| _pairs_ | _25_ |')
  expect(suiteTables(resultsOf(base), still)).not.toContain('A/A')
})
