import { tells } from './figures.mjs'
import { fingerprint } from './fingerprint.mjs'
import { fullEffort } from './paired-run.mjs'
import { majorOf } from './results.mjs'
import { verdictOf } from './verdict.mjs'

/**
 * @typedef {import('./results.mjs').Row} Row
 * @typedef {import('./results.mjs').Results} Results
 * @typedef {import('./goals.mjs').Goal} Goal
 * @typedef {import('./paired-run.mjs').Suite} Suite
 */

/**
 * Whether a row was measured as a full run would measure it today.
 * @param {Row} row
 * @param {readonly Suite[]} suites
 */
export const isCurrent = (row, suites) => {
  const cell = suites.find(({ name }) => name === row.suite)?.cells.find(({ name }) => name === row.cell)
  return cell !== undefined && row.measuredBy === fingerprint(cell, row, fullEffort(cell))
}

/**
 * Results judged by the goals and suites as they are now, whatever was concluded before: each row that is a goal's
 * figure gets its limit, and its verdict if the row is current.
 * @param {Results} results
 * @param {readonly Goal[]} goals
 * @param {readonly Suite[]} suites
 * @returns {Results}
 */
export const judged = ({ machine, rows }, goals, suites) => ({
  machine,
  rows: rows.map(({ goal: _goal, limit: _limit, verdict: _verdict, ...row }) => {
    const goal = goals.find((one) => tells(one)(row))
    const limit = goal?.limits[majorOf(row.node)]
    if (goal === undefined || limit === undefined) return row
    return {
      ...row,
      ...{ goal: goal.id, limit },
      ...(isCurrent(row, suites) ? { verdict: verdictOf(row.ratio, limit, row.aa) } : {}),
    }
  }),
})
