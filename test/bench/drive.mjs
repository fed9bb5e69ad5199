import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { DRIVER_CORE, pinned, raisePriority } from './machine.mjs'

const LOAD = fileURLToPath(new URL('load-process.mjs', import.meta.url))

/** @typedef {import('./subject.mjs').SubjectProcess} SubjectProcess */

/** Makes subjects do their work: by an order, or by requests from a process on the other core. */
export class Drive {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #load

  /**
   * @param {'self' | 'sockets'} kind
   * @param {Readonly<Record<string, string>>} [env] of the process that drives
   */
  constructor(kind, env = {}) {
    if (kind === 'self') return
    const [program, ...args] = pinned(DRIVER_CORE, [process.execPath])
    this.#load = fork(LOAD, { execPath: program, execArgv: args, env: { ...process.env, ...env } })
    raisePriority(this.#load.pid)
  }

  /**
   * @param {SubjectProcess} subject
   * @param {number} units
   * @returns {Promise<import('./subject.mjs').Usage>}
   */
  slice(subject, units) {
    if (this.#load === undefined) return subject.slice(units)
    return subject.while(() => this.#order({ do: 'load', port: subject.port, requests: units }))
  }

  /**
   * What a subject answers to the request of user k.
   * @param {SubjectProcess} subject
   * @param {number} k
   * @returns {Promise<unknown>}
   */
  ask(subject, k) {
    return this.#load === undefined ? subject.ask(k) : this.#order({ do: 'ask', port: subject.port, k })
  }

  async close() {
    if (this.#load === undefined) return
    const exit = once(this.#load, 'exit')
    this.#load.disconnect()
    await exit
  }

  /**
   * @param {import('./load-process.mjs').Order} order
   * @returns {Promise<unknown>}
   */
  async #order(order) {
    const load = /** @type {import('node:child_process').ChildProcess} */ (this.#load)
    const reply = once(load, 'message')
    load.send(order)
    const [{ value, error }] = await reply
    if (error !== undefined) throw new Error(error)
    return value
  }
}
