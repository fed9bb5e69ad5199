import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { methodText } from './method.mjs'
import { claimTable, goalTable, machineText, replaceBetween, suiteTables } from './page.mjs'

/** @typedef {import('./results.mjs').Results} Results */

const RESULTS = fileURLToPath(new URL('results.json', import.meta.url))
const PAGE = fileURLToPath(new URL('../../docs/performance.md', import.meta.url))
const README = fileURLToPath(new URL('../../README.md', import.meta.url))

/** @returns {Results | undefined} */
export const readResults = () => (existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : undefined)

/**
 * Writes a file in the form that the formatter of this repository wants.
 * @param {string} path
 * @param {string} text
 */
const write = async (path, text) =>
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }))

/** @param {Results} results */
export const writeResults = (results) => write(RESULTS, JSON.stringify(results))

/**
 * Writes the page of figures, and the few of the README.
 * @param {Results} results
 * @param {readonly import('./goals.mjs').Goal[]} goals
 * @param {readonly import('./paired-run.mjs').Suite[]} suites
 */
export const writePage = async (results, goals, suites) => {
  let page = readFileSync(PAGE, 'utf8')
  page = replaceBetween(page, 'bench: machine', machineText(results))
  page = replaceBetween(page, 'bench: method', methodText())
  page = replaceBetween(page, 'bench: goals', goalTable(results, goals, suites))
  page = replaceBetween(page, 'bench: figures', suiteTables(results, suites))
  await write(PAGE, page)
  await write(
    README,
    replaceBetween(readFileSync(README, 'utf8'), 'bench: claim', claimTable(results, goals, suites)),
  )
}
