import { ServerProcess } from './server-process.mjs'
import { Watchdog } from './watchdog.mjs'

/**
 * @typedef {object} Habitat what a server runs in, with data of its own: processes of this machine, or a container
 * @property {readonly string[]} command runs it in the foreground
 * @property {string} subject what is cleared away at the end: a directory, or the name of a container
 * @property {string} clear shell commands that do so when nobody else can; see Watchdog
 * @property {() => Promise<void>} remove does so at an orderly end
 * @property {(process: ServerProcess) => void} kill
 */

/** What a server may take to write what it holds and end. */
const GRACE_MS = 15_000

/** A server of one's own. Without `stop` it ends with the process that started it. */
export class Server {
  #name
  #habitat
  #readiness
  #watchdog
  /** @type {ServerProcess | undefined} */
  #process
  /** @type {string | undefined} */
  #ending

  /**
   * @param {string} name for errors
   * @param {Habitat} habitat
   * @param {import('./server-process.mjs').Readiness} readiness
   */
  constructor(name, habitat, readiness) {
    this.#name = name
    this.#habitat = habitat
    this.#readiness = readiness
    this.#watchdog = new Watchdog(habitat.clear, habitat.subject)
  }

  /** Of the process that runs it; undefined while it is down. */
  get pid() {
    return this.#process?.pid
  }

  /** How its last run ended: its exit code or the signal; undefined before. */
  get ending() {
    return this.#ending
  }

  /** The directory that holds its data, or the container's name. */
  get subject() {
    return this.#habitat.subject
  }

  /**
   * Starts it for the first time. What it lives in is removed again if it does not start.
   * @returns {Promise<this>}
   * @throws with the tail of its log.
   */
  async start() {
    try {
      await this.#launch()
      return this
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  /** Kills it as a failing machine would. Its data is kept, and `restart` starts it again. */
  async crash() {
    const process = this.#process
    if (process === undefined) return
    this.#habitat.kill(process)
    await process.ended
  }

  /**
   * Starts it on the same port and data, after an orderly end if it runs.
   * @throws with the tail of its log.
   */
  async restart() {
    await this.#terminate(GRACE_MS)
    await this.#launch()
  }

  /**
   * Ends it and removes its data. A second call does nothing.
   * @param {number} [graceMs] after which it is killed. Default: 15 s
   */
  async stop(graceMs = GRACE_MS) {
    await this.#terminate(graceMs)
    await this.#habitat.remove()
    this.#watchdog.dismiss()
  }

  async #launch() {
    const process = new ServerProcess(this.#name, this.#habitat.command, this.#readiness)
    this.#process = process
    this.#watchdog.watch(process.pid)
    void process.ended.then((how) => {
      this.#ending = how
      this.#process = undefined
      this.#watchdog.watch(undefined)
    })
    await process.ready()
  }

  /** @param {number} graceMs */
  async #terminate(graceMs) {
    const process = this.#process
    await process?.terminate(graceMs, () => this.#habitat.kill(process))
  }
}
