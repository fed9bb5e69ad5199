import { figuresOf } from './figures.mjs'
import { fingerprint } from './fingerprint.mjs'
import { CONTROL } from './paired-run.mjs'
import { ratiosOf, ratiosOverBase } from './ratios.mjs'
import { spreadOf } from './statistics.mjs'

/**
 * One figure of one cell on one Node version.
 * @typedef {object} Row
 * @property {string} name suite, cell, variant and what it is compared with, in one text
 * @property {string} suite
 * @property {string} cell
 * @property {string} variant
 * @property {string} over
 * @property {string} node its version
 * @property {string} date of the measurement, `YYYY-MM-DD`
 * @property {number} ratio median of the paired ratios
 * @property {readonly [number, number]} quartiles
 * @property {number} [aa] median of the A/A control of the cell, where it has one
 * @property {number} pairs
 * @property {number} perUnit median of the variant's own measure of one unit of work
 * @property {string} unit of `perUnit`
 * @property {string} [measuredBy] fingerprint of how it was measured
 * @property {string} [goal] id
 * @property {number} [limit]
 * @property {import('./verdict.mjs').Verdict} [verdict]
 *
 * @typedef {ReturnType<typeof import('./machine.mjs').machineFacts>} Machine
 * @typedef {{ machine: Machine, rows: readonly Row[] }} Results
 *
 * @typedef {import('./goals.mjs').Goal} Goal
 * @typedef {import('./paired-run.mjs').Cell} Cell
 * @typedef {import('./paired-run.mjs').Effort} Effort
 * @typedef {import('./paired-run.mjs').Round} Round
 */

/** @param {string} version such as `22.23.5` */
export const majorOf = (version) => Number.parseInt(version, 10)

/** Five digits: what is beyond them is noise, and results stay readable in a diff. @param {number} value */
const rounded = (value) => Number(value.toPrecision(5))

/**
 * The rows of a cell: every variant over the base, then each figure of a goal that is over another variant.
 * @param {{ suite: string, cell: Cell, effort: Effort, node: string, date: string }} at
 * @param {readonly Round[]} rounds
 * @param {readonly Goal[]} goals of all suites
 * @returns {Row[]}
 */
export const rowsOf = ({ suite, cell, effort, node, date }, rounds, goals) => {
  const measured = Object.keys(rounds[0]?.slices ?? {}).filter((name) => name !== CONTROL)
  const aa = cell.control === false ? {} : { aa: rounded(spreadOf(ratiosOverBase(rounds, CONTROL)).median) }
  const row = (/** @type {string} */ variant, /** @type {string} */ over) => {
    const ratios = ratiosOf(rounds, variant, over, cell.base)
    const { median, q1, q3 } = spreadOf(ratios)
    return {
      name: `${suite}: ${cell.name}: ${variant} over ${over}`,
      suite,
      cell: cell.name,
      variant,
      over,
      node,
      date,
      ratio: rounded(median),
      quartiles: /** @type {const} */ ([rounded(q1), rounded(q3)]),
      ...aa,
      pairs: rounds.length,
      perUnit: rounded(spreadOf(rounds.map(({ slices }) => slices[variant] ?? NaN)).median),
      unit: cell.unit ?? 'µs',
      measuredBy: fingerprint(cell, { variant, over }, effort),
    }
  }
  const others = goals
    .flatMap(figuresOf)
    .filter((figure) => figure.suite === suite && figure.cell === cell.name && figure.over !== cell.base)
    .filter(({ variant, over }) => measured.includes(variant) && measured.includes(over))
  return [
    ...measured.map((variant) => row(variant, cell.base)),
    ...others.map(({ variant, over }) => row(variant, over)),
  ]
}

/** @param {Row} row */
const placeOf = ({ name, node }) => `${majorOf(node)} ${name}`

/**
 * Former results with new rows in place of those of the same name and major of Node; all others stay.
 * @param {Results | undefined} former
 * @param {Results} fresh
 * @returns {Results}
 * @throws where they come from different machines: their figures are not to be compared
 */
export const mergeResults = (former, fresh) => {
  if (former === undefined) return fresh
  if (former.machine.cpu !== fresh.machine.cpu || former.machine.cores !== fresh.machine.cores) {
    throw new Error(
      `the results are of another machine (${former.machine.cpu}, ${former.machine.cores} cores); begin anew with --fresh`,
    )
  }
  const renewed = new Map(fresh.rows.map((row) => [placeOf(row), row]))
  const kept = former.rows.map((row) => {
    const place = placeOf(row)
    const replacement = renewed.get(place)
    renewed.delete(place)
    return replacement ?? row
  })
  return { machine: fresh.machine, rows: [...kept, ...renewed.values()] }
}
