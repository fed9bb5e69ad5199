import { createHash } from 'node:crypto'
import { ESTIMATOR } from './ratios.mjs'
import { factsOf, USERS } from './request-facts.cjs'

const DIGITS = 8

/**
 * What a figure was measured by, as a short text: how ratios are taken, the bytes of the requests, the effort, and the cell as far as it
 * concerns the two variants (others may come and go). Rows of which it differs from the tree's say nothing about the
 * tree.
 * @param {import('./paired-run.mjs').Cell} cell
 * @param {{ variant: string, over: string }} figure
 * @param {import('./paired-run.mjs').Effort} effort
 * @returns {string}
 */
export const fingerprint = (cell, { variant, over }, effort) => {
  const { variants, ...common } = cell
  const measured = [cell.base, variant, over].map((name) => variants[name])
  const facts = [USERS, factsOf(0, cell.tagged ?? false)]
  return createHash('sha256')
    .update(JSON.stringify([ESTIMATOR, facts, effort, common, measured]))
    .digest('hex')
    .slice(0, DIGITS)
}
