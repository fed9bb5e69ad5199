import { Drive } from './drive.mjs'
import { ratiosOverBase } from './ratios.mjs'
import { TAGGED } from './request-facts.cjs'
import { spreadOf } from './statistics.mjs'
import { SubjectProcess } from './subject.mjs'
import { isCalm } from './verdict.mjs'

/**
 * What a suite exports as `suite`.
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} title a sentence for the page
 * @property {readonly Cell[]} cells
 *
 * One comparison: a base and other ways of doing the same work.
 * @typedef {object} Cell
 * @property {string} name
 * @property {string} base one of `variants`
 * @property {Readonly<Record<string, import('./subject.mjs').Variant>>} variants
 * @property {number} sliceUnits units of work between two looks at the clock; a variant may have its own
 * @property {number} warmUpUnits per process, before the first slice; a variant may have its own
 * @property {'self' | 'sockets'} drive
 * @property {boolean} [fine] whether its slices take milliseconds, and there are many of them; default false
 * @property {boolean} [tagged] whether its requests bear a clk; default false
 * @property {boolean} [control] whether a second copy of the base runs along; default true. It says nothing where the
 * base is a constant.
 * @property {string} [unit] what the measure is; default `µs` of CPU per unit of work
 * @property {readonly number[]} [nodes] majors of Node on which the cell makes sense; default all
 *
 * @typedef {object} Effort
 * @property {number} generations fresh processes each
 * @property {number} atLeastMs a cell whose generations take less gets more of them, up to `MOST_TIMES` as many
 * @property {number} rounds per generation
 * @property {number} moreGenerations at most so many more while the A/A control lies outside
 *
 * Measures of one round: `slices` by variant, between the base's slices before and after it.
 * @typedef {{ before: number, after: number, slices: Readonly<Record<string, number>> }} Round
 */

/** So many times as many generations a cell may get that takes little time. */
export const MOST_TIMES = 3

/** The second copy of the base: what the method itself makes of no difference. */
export const CONTROL = 'A/A'

/**
 * Many generations of few rounds: what differs most is one process from the next (what was compiled when, where its heap
 * lies), and that stays with it for life.
 *
 * @type {Effort}
 */
export const FULL = { generations: 4, atLeastMs: 10_000, rounds: 6, moreGenerations: 3 }

/**
 * A process that goes through much memory is now and then half as fast for a second or so, on a machine that it shares.
 * Slices of milliseconds meet this together with their neighbours, and many of them make up for collections of garbage,
 * which hit one slice and not the next.
 *
 * @type {Effort}
 */
export const FINE = { ...FULL, rounds: 40 }

/**
 * Over sockets processes differ even more.
 *
 * @type {Effort}
 */
export const FULL_OVER_SOCKETS = { ...FULL, generations: 7, rounds: 15 }

/** @param {Pick<Cell, 'drive' | 'fine'>} cell */
export const fullEffort = ({ drive, fine }) => {
  if (drive === 'sockets') return FULL_OVER_SOCKETS
  return fine === true ? FINE : FULL
}

/** @type {Effort} */
export const QUICK = { generations: 1, atLeastMs: 0, rounds: 6, moreGenerations: 0 }

/**
 * The same things in the same cyclic order, beginning with another one at each turn, so that none has a place that is
 * always its own.
 * @template T
 * @param {readonly T[]} items
 * @param {number} turn
 * @returns {T[]}
 */
export const rotated = (items, turn) => {
  const first = items.length === 0 ? 0 : turn % items.length
  return [...items.slice(first), ...items.slice(0, first)]
}

/**
 * Runs a cell: generations of fresh processes, in each of them rounds base, a, b, …, A/A, base, b, …, A/A, a, base, …
 * @param {Suite} suite
 * @param {Cell} cell
 * @param {{ node: string, effort: Effort }} how `node`: path of the binary
 * @returns {Promise<Round[]>}
 * @throws where a variant answers otherwise than the base, before anything is measured, or in a slice
 */
export const runCell = async (suite, cell, { node, effort }) => {
  /** @type {Round[]} */
  const rounds = []
  const calm = () => cell.control === false || isCalm(spreadOf(ratiosOverBase(rounds, CONTROL)).median)
  const start = performance.now()
  // How many there are is settled by the time they take, before anybody looks at a figure; only a control that is off
  // asks for more.
  let wanted = effort.generations
  for (let generation = 0; generation < wanted + effort.moreGenerations; generation++) {
    if (generation >= wanted && calm()) break
    rounds.push(...(await runGeneration(suite, cell, node, effort.rounds, rounds.length)))
    if (generation === 0) {
      const each = performance.now() - start
      wanted = Math.max(wanted, Math.min(MOST_TIMES * wanted, Math.ceil(effort.atLeastMs / each)))
    }
  }
  return rounds
}

/**
 * @param {Suite} suite
 * @param {Cell} cell
 * @param {string} node
 * @param {number} count of rounds
 * @param {number} turn how many rounds there have been before
 * @returns {Promise<Round[]>}
 */
const runGeneration = async (suite, cell, node, count, turn) => {
  const base = cell.variants[cell.base]
  if (base === undefined) throw new Error(`${suite.name}/${cell.name}: there is no variant ${cell.base}`)
  const variants = Object.entries({
    ...cell.variants,
    ...(cell.control === false ? {} : { [CONTROL]: base }),
  })
  const env = envOf(cell)
  const driven = variants.filter(([, { alongWith }]) => alongWith === undefined)
  const subjects = driven.map(([name, variant]) => ({
    name,
    process: new SubjectProcess({ ...variant, env: { ...variant.env, ...env } }, node),
    sliceUnits: variant.sliceUnits ?? cell.sliceUnits,
    warmUpUnits: variant.warmUpUnits ?? cell.warmUpUnits,
  }))
  const drive = new Drive(cell.drive, env)
  const at = (/** @type {string} */ variant) => `${suite.name}/${cell.name}/${variant}`
  /**
   * @template T
   * @param {string} variant
   * @param {() => Promise<T>} step
   */
  const told = async (variant, step) => {
    try {
      return await step()
    } catch (cause) {
      throw new Error(`${at(variant)}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    }
  }
  try {
    for (const { name, process } of subjects) await told(name, () => process.open())
    await compareAnswers(subjects, cell.base, at, (name, process, k) =>
      told(name, () => drive.ask(process, k)),
    )
    for (const { name, process, warmUpUnits } of subjects)
      await told(name, () => drive.slice(process, warmUpUnits))
    const measure = async (/** @type {(typeof subjects)[number]} */ { name, process, sliceUnits }) => {
      const { cpuMicros, along = {} } = await told(name, () => drive.slice(process, sliceUnits))
      const wanted = Object.entries(along).filter(([other]) => other in cell.variants)
      const others = wanted.map(([other, value]) => [other, value / sliceUnits])
      return { own: cpuMicros / sliceUnits, along: Object.fromEntries(others) }
    }
    const [first, ...others] = subjects.sort(
      (one, other) => Number(other.name === cell.base) - Number(one.name === cell.base),
    )
    if (first === undefined) return []
    /** @type {Round[]} */
    const rounds = []
    let { own: before } = await measure(first)
    for (let round = 0; round < count; round++) {
      /** @type {Record<string, number>} */
      const slices = {}
      for (const other of rotated(others, turn + round)) {
        const { own, along } = await measure(other)
        Object.assign(slices, { [other.name]: own, ...along })
      }
      const { own: after } = await measure(first)
      rounds.push({ before, after, slices: { ...slices, [cell.base]: (before + after) / 2 } })
      before = after
    }
    return rounds
  } finally {
    await Promise.all([...subjects.map(({ process }) => process.close()), drive.close()])
  }
}

/**
 * What the processes of a cell are told of its requests.
 * @param {Cell} cell
 * @returns {Readonly<Record<string, string>>}
 */
export const envOf = ({ tagged = false }) => ({ [TAGGED]: tagged ? '1' : '0' })

/** Users whose answers are compared before anything is measured. */
const ASKED = [0, 7, 999]

/**
 * @param {readonly { name: string, process: SubjectProcess }[]} subjects
 * @param {string} base
 * @param {(variant: string) => string} at
 * @param {(name: string, process: SubjectProcess, k: number) => Promise<unknown>} ask
 */
const compareAnswers = async (subjects, base, at, ask) => {
  for (const k of ASKED) {
    /** @type {Map<string, string>} */
    const answers = new Map()
    for (const { name, process } of subjects) {
      answers.set(name, JSON.stringify(await ask(name, process, k)) ?? 'nothing')
    }
    const wanted = answers.get(base)
    for (const [name, got] of answers) {
      if (got !== wanted)
        throw new Error(`${at(name)} gives another answer than ${base}: wanted ${wanted}, got ${got}`)
    }
  }
}
