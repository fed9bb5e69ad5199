'use strict'

const { PerformanceObserver } = require('node:perf_hooks')

/**
 * What is told of the stalls of a slice, in microseconds: the 99.9th percentile, garbage collection apart; along with it
 * the same of the longest, and the longest whatever caused it.
 *
 * @typedef {import('../../subject-process.cjs').Given} Given
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

  /**
   * Closes the list of steps. A stall is not a sum over units, so it is given as often as there are units.
   * @param {number} units of the slice
   * @returns {Promise<Given>}
   */
  async take(units) {
    await new Promise((resolve) => setTimeout(resolve, TOLD_MS))
    const stalls = this.#steps.map((step) => this.#withoutCollections(step)).sort((one, other) => one - other)
    const withCollections = this.#steps.reduce((most, { micros }) => Math.max(most, micros), 0)
    this.#steps = []
    this.#collections = []
    return {
      measure: (stalls[Math.ceil(stalls.length * 0.999) - 1] ?? 0) * units,
      along: {
        longest: (stalls.at(-1) ?? 0) * units,
        'longest, with garbage collection': withCollections * units,
      },
    }
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
