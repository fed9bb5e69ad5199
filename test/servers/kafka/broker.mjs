import { BrokerProcess } from './broker-process.mjs'
import { Watchdog } from './watchdog.mjs'

/**
 * @typedef {object} Habitat what a broker runs in, with data of its own: a JVM of this machine, or a container
 * @property {number} port
 * @property {readonly string[]} command runs it in the foreground
 * @property {string} subject what is cleared away at the end: a directory, or the name of a container
 * @property {string} clear shell commands that do so when nobody else can; see Watchdog
 * @property {() => Promise<void>} remove does so at an orderly end
 * @property {(process: BrokerProcess) => void} kill
 */

/** What a broker may take to write what it holds and end. */
const GRACE_MS = 15_000

/** A broker of one's own. Without `stop` it ends with the process that started it. */
export class Broker {
  #habitat
  #watchdog
  /** @type {BrokerProcess | undefined} */
  #process

  /** @param {Habitat} habitat */
  constructor(habitat) {
    this.#habitat = habitat
    this.#watchdog = new Watchdog(habitat.clear, habitat.subject)
    /** Its address, as clients take it. */
    this.brokers = [`127.0.0.1:${habitat.port}`]
  }

  /**
   * @param {Habitat} habitat is removed again if the broker does not start
   * @throws with the tail of its log.
   */
  static async start(habitat) {
    const broker = new Broker(habitat)
    try {
      await broker.#launch()
      return broker
    } catch (error) {
      await broker.stop()
      throw error
    }
  }

  /** Of the process that runs it; undefined while it is down. */
  get pid() {
    return this.#process?.pid
  }

  /** The directory that holds its data, or the container's name. */
  get subject() {
    return this.#habitat.subject
  }

  /** Kills it as a failing machine would. What it had acknowledged is kept, and `restart` starts it again. */
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
    const process = new BrokerProcess(this.#habitat.command)
    this.#process = process
    this.#watchdog.watch(process.pid)
    void process.ended.then(() => {
      this.#process = undefined
      this.#watchdog.watch(undefined)
    })
    await process.ready(this.#habitat.port)
  }

  /** @param {number} graceMs */
  async #terminate(graceMs) {
    const process = this.#process
    await process?.terminate(graceMs, () => this.#habitat.kill(process))
  }
}
