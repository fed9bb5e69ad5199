import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { goals } from './goals.mjs'
import { claimTable, goalTable, machineText, replaceBetween, suiteTables } from './page.mjs'
import { readResults } from './record.mjs'
import { suites } from './suites.mjs'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const page = readFileSync(new URL('../../docs/performance.md', import.meta.url), 'utf8')

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

test('every goal has a name of its own, and is of a figure that some suite measures', () => {
  expect(new Set(goals.map(({ id }) => id)).size).toBe(goals.length)
  const figures = goals.map(({ suite, variant, over, ...goal }) => [suite, goal.cell, variant, over])
  const cells = suites.flatMap(({ name, cells }) => cells.map((cell) => ({ suite: name, ...cell })))
  for (const [suite, cell, variant, over] of figures) {
    const found = cells.find((one) => one.suite === suite && one.name === cell)
    expect(Object.keys(found?.variants ?? {}), `${suite}, ${cell}`).toEqual(
      expect.arrayContaining([variant, over]),
    )
  }
})

test('the page and the README say what results.json says', () => {
  const results = readResults()
  if (results === undefined) throw new Error('there is no results.json: npm run bench writes it')
  // The formatter pads tables; the figures are the same.
  const plain = (text: string) => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---')
  expect(plain(page)).toContain(plain(machineText(results)))
  expect(plain(page)).toContain(plain(goalTable(results, goals)))
  expect(plain(readme)).toContain(plain(claimTable(results, goals)))
  expect(plain(page)).toContain(plain(suiteTables(results, suites)).replaceAll(/(?<!\w)_([^_\n]+)_/g, '_$1_'))
})

test('each goal that is not met anywhere is explained on the page under its name, and none that is met', () => {
  const unmet = (readResults()?.rows ?? []).filter(
    ({ verdict }) => verdict !== undefined && verdict !== 'met',
  )
  const section = /\n## Missed goals, and why\n([^]*?)\n## /.exec(page)?.[1] ?? ''
  const explained = [...section.matchAll(/^### `([\w-]+)`\n\n\S/gm)].map(([, id]) => id)
  expect(explained.sort()).toEqual([...new Set(unmet.map(({ goal }) => goal))].sort())
})
