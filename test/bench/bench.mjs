/**
 * `npm run bench`: measures all suites on all Node versions that are here, and writes the figures to results.json and
 * to docs/performance.md.
 *
 *   --goals           the cells and variants that goals speak of only; other rows stay
 *   --quick           the same on the running Node, of the two finest suites, with few rounds: gives hints instead of
 *                     verdicts, and writes nothing
 *   --write           writes nevertheless
 *   --suite a,b       these suites only; other rows of results.json stay
 *   --node 20,24      these versions only; other rows stay
 *   --fresh           forgets former results first
 */
import { parseArgs } from 'node:util'
import { figuresOf } from './figures.mjs'
import { goals } from './goals.mjs'
import { judged } from './judgement.mjs'
import { findNodes, runningNode } from './nodes.mjs'
import { CONTROL, fullEffort, QUICK, runCell } from './paired-run.mjs'
import { ratiosOverBase } from './ratios.mjs'
import { readResults, writePage, writeResults } from './record.mjs'
import { machineFacts } from './machine.mjs'
import { mergeResults, rowsOf } from './results.mjs'
import { spreadOf } from './statistics.mjs'
import { suites } from './suites.mjs'

/**
 * @typedef {import('./paired-run.mjs').Suite} Suite
 * @typedef {import('./paired-run.mjs').Cell} Cell
 * @typedef {import('./results.mjs').Row} Row
 */

const { values: flags } = parseArgs({
  options: {
    goals: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    suite: { type: 'string' },
    node: { type: 'string' },
  },
})

/** Those without a kernel: a few rounds of them tell something. */
const QUICK_SUITES = new Set(['express-in-process', 'request-path'])

/** @returns {readonly Suite[]} */
const chosenSuites = () => {
  if (flags.suite === undefined) return suites.filter(({ name }) => !flags.quick || QUICK_SUITES.has(name))
  return flags.suite.split(',').map((name) => {
    const suite = suites.find((one) => one.name === name)
    if (suite !== undefined) return suite
    throw new Error(`there is no suite ${name}; one of ${suites.map((one) => one.name).join(', ')}`)
  })
}

/**
 * The cell with the variants alone that goals speak of or show beside; undefined where there are none.
 * @param {Suite} suite
 * @param {Cell} cell
 * @param {number} major of Node
 * @returns {Cell | undefined}
 */
const essentials = (suite, cell, major) => {
  const here = goals
    .filter(({ limits }) => major in limits)
    .flatMap(figuresOf)
    .filter((figure) => figure.suite === suite.name && figure.cell === cell.name)
  if (here.length === 0) return undefined
  const named = new Set([cell.base, ...here.flatMap(({ variant, over }) => [variant, over])])
  const variants = Object.fromEntries(Object.entries(cell.variants).filter(([name]) => named.has(name)))
  return { ...cell, variants, warmUpUnits: Math.ceil(cell.warmUpUnits / (flags.quick ? 2 : 1)) }
}

/** @param {readonly number[]} ratios */
const spreadText = (ratios) => {
  const { median, q1, q3 } = spreadOf(ratios)
  const short = (/** @type {number} */ value) => (value >= 0.01 ? value.toFixed(2) : value.toPrecision(2))
  return `${short(median)} [${short(q1)}–${short(q3)}]`
}

/**
 * A few rounds give no verdict, but a hint.
 * @param {import('./results.mjs').Results} fresh
 */
const printVerdicts = (fresh) => {
  for (const { goal, ratio, limit, verdict = 'hint' } of judged(fresh, goals, suites).rows) {
    if (goal !== undefined)
      console.log(`    ${verdict}: ${goal}, ${ratio.toPrecision(3)} ≤ ${limit?.toPrecision(3)}`)
  }
}

/**
 * @param {Suite} suite
 * @param {Cell} cell
 * @param {import('./nodes.mjs').NodeBinary} node
 * @returns {Promise<Row[]>}
 */
const measure = async (suite, cell, { binary, version }) => {
  const start = performance.now()
  const effort = flags.quick ? QUICK : fullEffort(cell)
  const rounds = await runCell(suite, cell, { node: binary, effort })
  const others = Object.keys(rounds[0]?.slices ?? {}).filter((name) => name !== cell.base && name !== CONTROL)
  const compared = cell.control === false ? others : [...others, CONTROL]
  const figures = compared.map((name) => `${name} ${spreadText(ratiosOverBase(rounds, name))}`)
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  console.log(`  ${suite.name}, ${cell.name} (${rounds.length} pairs, ${seconds} s): ${figures.join(', ')}`)
  const date = new Date().toISOString().slice(0, 10)
  const rows = rowsOf({ suite: suite.name, cell, effort, node: version, date }, rounds, goals)
  printVerdicts({ machine: machineFacts(), rows })
  return rows
}

const writes = flags.write || !flags.quick
const majors = flags.node?.split(',').map(Number)
const nodes = flags.quick && majors === undefined ? [runningNode()] : await findNodes(majors)
let results = flags.fresh ? undefined : readResults()
const start = performance.now()
for (const node of nodes) {
  console.log(`Node ${node.version}`)
  for (const suite of chosenSuites()) {
    /** @type {Row[]} */
    const rows = []
    for (const cell of suite.cells) {
      if (cell.nodes?.includes(node.major) === false) continue
      const chosen = flags.quick || flags.goals ? essentials(suite, cell, node.major) : cell
      if (chosen !== undefined) rows.push(...(await measure(suite, chosen, node)))
    }
    if (!writes) continue
    // After each suite, so that a run that is broken off has not been for nothing.
    results = judged(mergeResults(results, { machine: machineFacts(), rows }), goals, suites)
    await writeResults(results)
    await writePage(results, goals, suites)
  }
}
console.log(`${((performance.now() - start) / 60_000).toFixed(1)} minutes`)
