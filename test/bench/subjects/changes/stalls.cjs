'use strict'

const { PerformanceObserver } = require('node:perf_hooks')

/**
 * What is told of the stalls of a slice: `usual`: the 99.9th percentile, garbage collection apart; `longest`: the same
 * of the longest; `with collections`: the longest, whatever caused it.
 *
 * @typedef {'usual' | 'longest' | 'with collections'} Figure
 */

/** So long after the last step the collector's pauses have been told. */
const TOLD_MS = 20

/** User and system time, of this thread where Node can tell it (23.9 and later), else of all. */
const cpuMicros = () => {
  const { threadCpuUsage = process.cpuUsage } =
    /** @type {NodeJS.Process & { threadCpuUsage?: () => NodeJS.CpuUsage }} */ (process)
  const { user, system } = threadCpuUsage.call(process)
  return user + system
}

/**
 * How long each step keeps the event loop: the time on the clock, or the processor's time where that is less, since then
 * another process had the core.
 */
class Stalls {
  /** @type {{ from: number, to: number, micros: number }[]} */
  #steps = []
  /** @type {{ readonly startTime: number, readonly duration: number }[]} */
  #collections = []
  #observer = new PerformanceObserver((list) => void this.#collections.push(...list.getEntries()))
  #from = 0
  #cpu = 0

  constructor() {
    this.#observer.observe({ entryTypes: ['gc'] })
  }

  begin() {
    this.#cpu = cpuMicros()
    this.#from = performance.now()
  }

  end() {
    const to = performance.now()
    const micros = Math.min((to - this.#from) * 1_000, cpuMicros() - this.#cpu)
    this.#steps.push({ from: this.#from, to, micros })
  }

  /** Closes the list of steps. @param {Figure} figure @returns {Promise<number>} microseconds */
  async take(figure) {
    await new Promise((resolve) => setTimeout(resolve, TOLD_MS))
    const stalls = this.#steps
      .map((step) => (figure === 'with collections' ? step.micros : this.#withoutCollections(step)))
      .sort((one, other) => one - other)
    const rank = figure === 'usual' ? Math.ceil(stalls.length * 0.999) : stalls.length
    this.#steps = []
    this.#collections = []
    return stalls[rank - 1] ?? 0
  }

  /** @param {{ from: number, to: number, micros: number }} step */
  #withoutCollections({ from, to, micros }) {
    const collected = this.#collections
      .filter(({ startTime }) => startTime >= from && startTime <= to)
      .reduce((sum, { duration }) => sum + duration * 1_000, 0)
    return Math.max(0, micros - collected)
  }
}

module.exports = { Stalls }
