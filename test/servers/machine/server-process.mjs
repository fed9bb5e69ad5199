import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

/**
 * @typedef {object} Readiness how a server shows that it serves
 * @property {string} [says] a text in its log that comes first. Default: it says nothing
 * @property {() => Promise<boolean>} answers whether a client is answered
 */

const START_TIMEOUT_MS = 60_000
const PROBE_EVERY_MS = 20
const KEPT_LINES = 40

/** One run of a server, from its start to its end. */
export class ServerProcess {
  #name
  #readiness
  #child
  /** @type {string[]} */
  #lines = []
  /** @type {Promise<void>} */
  #announced
  /**
   * How it ended. Never rejects.
   * @type {Promise<string>}
   */
  ended

  /**
   * @param {string} name of the server, for errors
   * @param {readonly string[]} command that runs it in the foreground
   * @param {Readiness} readiness
   */
  constructor(name, [program = '', ...args], readiness) {
    this.#name = name
    this.#readiness = readiness
    // Detached: a Ctrl-C is for the tests, which then stop the server in their own order.
    // In English, since its words are looked at.
    const env = { ...process.env, LC_ALL: 'C' }
    this.#child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env })
    const { says } = readiness
    this.#announced = new Promise((resolve) => {
      if (says === undefined) resolve()
      for (const input of [this.#child.stdout, this.#child.stderr]) {
        createInterface({ input }).on('line', (line) => {
          this.#lines.push(line)
          if (this.#lines.length > KEPT_LINES) this.#lines.shift()
          if (says !== undefined && line.includes(says)) resolve()
        })
      }
    })
    this.ended = new Promise((resolve) => {
      this.#child.once('error', ({ message }) => resolve(message))
      this.#child.once('close', (code, signal) => resolve(signal ?? `code ${code}`))
    })
  }

  get pid() {
    return this.#child.pid
  }

  /**
   * Resolves when clients are served. From then on it does not keep this process from ending.
   * @throws with the tail of its log if it ends before, or takes more than a minute.
   */
  async ready() {
    const settled = new AbortController()
    const { signal } = settled
    const served = async () => {
      await this.#announced
      while (!(await this.#readiness.answers())) await setTimeout(PROBE_EVERY_MS, undefined, { signal })
    }
    const fail = (/** @type {string} */ how) => {
      throw new Error(`${this.#name} ${how} before it was ready\n${this.#lines.join('\n')}`)
    }
    try {
      await Promise.race([
        served(),
        this.ended.then((how) => fail(`ended with ${how}`)),
        setTimeout(START_TIMEOUT_MS, undefined, { signal }).then(() =>
          fail(`took ${START_TIMEOUT_MS / 1000} s`),
        ),
      ])
    } finally {
      settled.abort()
    }
    this.#hold(false)
  }

  /**
   * Asks it to end, and kills it if it does not.
   * @param {number} graceMs
   * @param {() => void} kill
   */
  async terminate(graceMs, kill) {
    this.#hold(true)
    const grace = new AbortController()
    void setTimeout(graceMs, undefined, { signal: grace.signal }).then(kill, () => {})
    this.#child.kill('SIGTERM')
    await this.ended
    grace.abort()
  }

  /** Kills the program that was spawned, and with it the workers that it has started itself. */
  kill() {
    this.#hold(true)
    try {
      // A detached process leads a group of its own.
      if (this.pid !== undefined) process.kill(-this.pid, 'SIGKILL')
    } catch {
      // It has ended in this moment.
    }
  }

  /** @param {boolean} held whether this process waits for its end */
  #hold(held) {
    const verb = held ? 'ref' : 'unref'
    this.#child[verb]()
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      ;/** @type {import('node:net').Socket} */ (stream)[verb]()
    }
  }
}
