import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { pinned, raisePriority, SUBJECT_CORE } from './machine.mjs'

const PROCESS = fileURLToPath(new URL('subject-process.cjs', import.meta.url))
const SUBJECTS = new URL('subjects/', import.meta.url)

/**
 * One way of doing the work of a cell.
 * @typedef {object} Variant
 * @property {string} subject path below `subjects/`
 * @property {object} [options] handed to the subject's `open`; must survive JSON
 * @property {number} [sliceUnits] default the cell's, likewise the next
 * @property {number} [warmUpUnits]
 * @property {readonly string[]} [nodeArgs]
 * @property {string} [alongWith] the variant whose slices measure this one along, so that it needs no process of its own
 * @property {Readonly<Record<string, string>>} [env]
 *
 * @typedef {import('./subject-process.cjs').Usage} Usage
 */

/** A subject in a fresh process. */
export class SubjectProcess {
  /** @type {import('node:child_process').ChildProcess} */
  #child
  #port = 0
  #askable = false
  #ended = ''

  /**
   * @param {Variant} variant
   * @param {string} node path of the binary
   * @param {readonly string[]} [more] arguments of Node
   */
  constructor({ subject, options = {}, nodeArgs = [], env = {} }, node, more = []) {
    const [program, ...args] = pinned(SUBJECT_CORE, [node, ...nodeArgs, ...more])
    this.#child = fork(PROCESS, [fileURLToPath(new URL(subject, SUBJECTS)), JSON.stringify(options)], {
      execPath: program,
      execArgv: args,
      env: { ...process.env, NODE_ENV: 'production', ...env },
    })
    raisePriority(this.#child.pid)
    this.#child.once('exit', (code, signal) => {
      this.#ended = `the subject's process ended with ${signal ?? String(code)}`
      this.#child.emit('message', { error: this.#ended })
    })
  }

  /** Where a served subject listens; 0 for a self-driven one. */
  get port() {
    return this.#port
  }

  async open() {
    const { port = 0, asked = false } = /** @type {{ port?: number, asked?: boolean }} */ (
      await this.#order({ do: 'open' })
    )
    this.#port = port
    this.#askable = asked
  }

  /**
   * What a self-driven subject answers; undefined where it has no answer to give.
   * @param {number} k
   * @returns {Promise<unknown>}
   */
  async ask(k) {
    return this.#askable ? this.#order({ do: 'ask', k }) : undefined
  }

  /**
   * @param {number} units
   * @returns {Promise<Usage>}
   */
  slice(units) {
    return /** @type {Promise<Usage>} */ (this.#order({ do: 'slice', units }))
  }

  /**
   * The usage of the subject while somebody else drives it.
   * @param {() => Promise<unknown>} drive
   * @returns {Promise<Usage>}
   */
  async while(drive) {
    await this.#order({ do: 'begin' })
    await drive()
    return /** @type {Promise<Usage>} */ (this.#order({ do: 'end' }))
  }

  async close() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exit = once(this.#child, 'exit')
    await this.#order({ do: 'close' }).catch(() => this.#child.kill())
    await exit
  }

  /**
   * @param {import('./subject-process.cjs').Order} order
   * @returns {Promise<unknown>}
   */
  async #order(order) {
    if (this.#ended !== '') throw new Error(this.#ended)
    const reply = once(this.#child, 'message')
    this.#child.send(order)
    const [{ value, error }] = await reply
    if (error !== undefined) throw new Error(error)
    return value
  }
}
