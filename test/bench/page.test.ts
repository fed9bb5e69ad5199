import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { figuresOf, tells } from './figures.mjs'
import { goals, type Goal } from './goals.mjs'
import { isCurrent, judged } from './judgement.mjs'
import { methodText } from './method.mjs'
import { claimTable, goalTable, machineText, replaceBetween, suiteTables } from './page.mjs'
import { readResults } from './record.mjs'
import { majorOf, type Results } from './results.mjs'
import { suites } from './suites.mjs'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const page = readFileSync(new URL('../../docs/performance.md', import.meta.url), 'utf8')

const stored = (): Results => {
  const results = readResults()
  if (results === undefined) throw new Error('there is no results.json: npm run bench writes it')
  return results
}

test('what stands between two markers is replaced, and nothing else', () => {
  const text = 'one\n<!-- x begin -->\nold\n<!-- x end -->\ntwo\n<!-- y begin --><!-- y end -->'
  const once = replaceBetween(text, 'x', 'new $& $1')
  expect(once).toBe(
    'one\n<!-- x begin -->\n\nnew $& $1\n\n<!-- x end -->\ntwo\n<!-- y begin --><!-- y end -->',
  )
  expect(replaceBetween(once, 'x', 'new $& $1')).toBe(once)
})

test.each([
  'no markers',
  '<!-- x begin --> only',
  '<!-- x end --><!-- x begin -->',
  '<!-- x begin --><!-- x begin --><!-- x end -->',
])('a page without its markers in their order is left alone: %s', (text) => {
  expect(() => replaceBetween(text, 'x', '')).toThrow('needs the markers')
})

test('every goal has a name of its own, and each of its figures is one that some suite measures', () => {
  expect(new Set(goals.map(({ id }) => id)).size).toBe(goals.length)
  const cells = suites.flatMap(({ name, cells }) => cells.map((cell) => ({ suite: name, ...cell })))
  for (const { suite, variant, over, ...figure } of goals.flatMap(figuresOf)) {
    const found = cells.find((one) => one.suite === suite && one.name === figure.cell)
    expect(Object.keys(found?.variants ?? {}), `${suite}, ${figure.cell}`).toEqual(
      expect.arrayContaining([variant, over]),
    )
  }
})

test('the page and the README say what results.json and the constants of the run say', () => {
  const results = stored()
  // The formatter pads tables; the figures are the same.
  const plain = (text: string) => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---')
  expect(plain(page)).toContain(plain(machineText(results)))
  expect(plain(page)).toContain(plain(methodText()))
  expect(plain(page)).toContain(plain(goalTable(results, goals, suites)))
  expect(plain(readme)).toContain(plain(claimTable(results, goals, suites)))
  expect(plain(page)).toContain(plain(suiteTables(results, suites)).replaceAll(/(?<!\w)_([^_\n]+)_/g, '_$1_'))
})

test('the verdicts in results.json are those that the goals and suites of today give', () => {
  expect(stored()).toEqual(judged(stored(), goals, suites))
})

test('each goal that is missed, inconclusive or not measured as the tree measures it is explained under its name, and none that is met', () => {
  const current = stored().rows.filter((row) => isCurrent(row, suites))
  /** What the goal judges is met, and what stands beside it measured, on every Node version that has a limit. */
  const isMet = (goal: Goal) =>
    figuresOf(goal).every((figure) =>
      Object.keys(goal.limits).every((major) =>
        current.some(
          (row) =>
            tells(figure)(row) &&
            majorOf(row.node) === Number(major) &&
            (figure.words !== undefined || row.verdict === 'met'),
        ),
      ),
    )
  const section = /\n## Missed goals, and why\n([^]*?)\n## /.exec(page)?.[1] ?? ''
  const explained = [...section.matchAll(/^### `([\w-]+)`\n\n\S/gm)].map(([, id]) => id)
  const unmet = goals.filter((goal) => !isMet(goal)).map(({ id }) => id)
  expect([...explained].sort()).toEqual([...unmet].sort())
})
