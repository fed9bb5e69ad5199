import { figuresOf, tells } from './figures.mjs'
import { isCurrent, judged } from './judgement.mjs'
import { majorOf } from './results.mjs'

/**
 * @typedef {import('./results.mjs').Row} Row
 * @typedef {import('./results.mjs').Results} Results
 * @typedef {import('./goals.mjs').Goal} Goal
 * @typedef {import('./paired-run.mjs').Suite} Suite
 */

/**
 * A page with other text between `<!-- <name> begin -->` and `<!-- <name> end -->`.
 * @param {string} page
 * @param {string} name
 * @param {string} text
 * @returns {string}
 * @throws where the markers are not there once each, in this order
 */
export const replaceBetween = (page, name, text) => {
  const [begin, end] = [`<!-- ${name} begin -->`, `<!-- ${name} end -->`]
  const parts = page.split(begin)
  const rest = parts[1]?.split(end)
  if (parts.length !== 2 || rest?.length !== 2) {
    throw new Error(`the page needs the markers ${begin} and ${end}, once each and in this order`)
  }
  return `${parts[0]}${begin}\n\n${text}\n\n${end}${rest[1]}`
}

/** @param {number} value */
const figure = (value) => (value >= 0.01 ? value.toFixed(2) : value.toPrecision(2))

/** Three digits, and never in powers of ten. @param {number} value */
const perUnitText = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))

/** @param {Row} row */
const ratioText = ({ ratio, quartiles: [q1, q3] }) => `${figure(ratio)} [${figure(q1)}–${figure(q3)}]`

/**
 * A median, with a mark where it was measured otherwise than it would be now.
 * @param {Row} row
 * @param {readonly Suite[]} suites
 */
const figureText = (row, suites) => `${figure(row.ratio)}${staleMark(row, suites)}`

/**
 * @param {Row} row
 * @param {readonly Suite[]} suites
 */
const staleMark = (row, suites) => (isCurrent(row, suites) ? '' : ' †')

/** @param {readonly (readonly string[])[]} lines the first is the head */
const table = ([head = [], ...lines]) =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** @param {readonly Row[]} rows */
const majorsOf = (rows) => [...new Set(rows.map(({ node }) => majorOf(node)))].sort((a, b) => a - b)

/**
 * Every goal with its verdict on each Node version, judged anew. A stale figure has none.
 * @param {Results} results
 * @param {readonly Goal[]} goals
 * @param {readonly Suite[]} suites
 * @returns {string}
 */
export const goalTable = (results, goals, suites) => {
  const { rows } = judged(results, goals, suites)
  const majors = [...new Set(goals.flatMap(({ limits }) => Object.keys(limits).map(Number)))].sort(
    (a, b) => a - b,
  )
  const verdict = (/** @type {Goal} */ goal, /** @type {number} */ major) => {
    const limit = goal.limits[major]
    if (limit === undefined) return '–'
    const here = rows.filter(({ node }) => majorOf(node) === major)
    const wanted = `≤ ${limit < 0.01 ? `1/${(1 / limit).toLocaleString('en')}` : String(limit)}`
    const row = here.find(tells(goal))
    if (row === undefined) return `${wanted}: not measured`
    const beside = figuresOf(goal).flatMap(({ words, ...figure }) => {
      const other = words === undefined ? undefined : here.find(tells(figure))
      return other === undefined ? [] : [`; ${words} ${figureText(other, suites)}`]
    })
    const head = row.verdict === undefined ? '_stale_' : `**${row.verdict}**`
    return `${head} ${ratioText(row)}, ${wanted}${beside.join('')}`
  }
  return table([
    ['goal', '', ...majors.map((major) => `Node ${major}`)],
    ...goals.map((goal) => [`\`${goal.id}\``, goal.text, ...majors.map((major) => verdict(goal, major))]),
  ])
}

/**
 * The measured ratios of all suites, a table for each cell.
 * @param {Results} results
 * @param {readonly Suite[]} suites
 * @returns {string}
 */
export const suiteTables = ({ rows }, suites) =>
  suites
    .flatMap(({ name, title, cells }) => [
      `### ${name}`,
      `${title}.`,
      ...cells.map((cell) => {
        const here = rows.filter(
          (row) => row.suite === name && row.cell === cell.name && row.over === cell.base,
        )
        const majors = majorsOf(here)
        const at = (/** @type {string} */ variant, /** @type {number} */ major) =>
          here.find((row) => row.variant === variant && majorOf(row.node) === major)
        if (majors.length === 0) return `_${cell.name}_: not measured.`
        return table([
          [cell.name, ...majors.map((major) => `Node ${major}`)],
          ...Object.keys(cell.variants).map((variant) => [
            variant,
            ...majors.map((major) => {
              const row = at(variant, major)
              if (row === undefined) return '–'
              const text =
                variant === cell.base ? `1 = ${perUnitText(row.perUnit)} ${row.unit}` : ratioText(row)
              return `${text}${staleMark(row, suites)}`
            }),
          ]),
          [
            cell.control === false ? '_pairs_' : '_A/A, pairs_',
            ...majors.map((major) => controlText(at(cell.base, major))),
          ],
        ])
      }),
    ])
    .join('\n\n')

/** Of which goals the README shows the figures. */
const CLAIMED = ['express-over-bare', 'server-helper-over-bare', 'express-over-opentelemetry']

/**
 * The figures of the README: of a few goals, where the control lay within its bounds.
 * @param {Results} results
 * @param {readonly Goal[]} goals
 * @param {readonly Suite[]} suites
 * @returns {string}
 */
export const claimTable = (results, goals, suites) => {
  const { rows } = judged(results, goals, suites)
  const majors = majorsOf(rows)
  const claim = (/** @type {Goal} */ goal, /** @type {number} */ major) => {
    if (goal.limits[major] === undefined) return 'not offered'
    const row = rows.find((one) => tells(goal)(one) && majorOf(one.node) === major)
    if (row?.verdict === undefined) return 'not measured'
    return row.verdict === 'inconclusive' ? 'too noisy' : figure(row.ratio)
  }
  return table([
    ['CPU time of one request', ...majors.map((major) => `Node ${major}`)],
    ...goals
      .filter(({ id }) => CLAIMED.includes(id))
      .map((goal) => [goal.text, ...majors.map((major) => claim(goal, major))]),
  ])
}

/** @param {Row | undefined} row */
const controlText = (row) => {
  if (row === undefined) return '–'
  return row.aa === undefined ? `_${row.pairs}_` : `_${figure(row.aa)}, ${row.pairs}_`
}

/**
 * Where and when the figures were measured, in a sentence.
 * @param {Results} results
 */
export const machineText = ({ machine: { cpu, cores, kernel }, rows }) => {
  const dates = rows.map(({ date }) => date).sort()
  const nodes = [...new Set(rows.map(({ node }) => node))].sort((a, b) => majorOf(a) - majorOf(b))
  const span = dates[0] === dates.at(-1) ? dates[0] : `${dates[0]} to ${dates.at(-1)}`
  return `Measured ${span} on ${cpu}, ${cores} cores, ${kernel}, with Node ${nodes.join(', ')}.`
}
