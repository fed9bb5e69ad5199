'use strict'
const { resolve } = require('node:path')
const { Piscina } = require('piscina')
const { USERS, requestFacts } = require('../../request-facts.cjs')

/**
 * How one variant submits; each file of `wirings/` exports one, and the file of the same name in `tasks/` what the worker
 * does: it answers with the key that it sees, by the variant's own means.
 * @typedef {object} Wiring
 * @property {(pool: Piscina) => (task: Task) => Promise<string | undefined>} submitter
 * @property {(headers: Readonly<Record<string, string>>) => InRequest} request a request with these headers, which has
 * come in already: what that costs is no cost of a task
 *
 * @typedef {{ user: string }} Task of the application
 *
 * Runs what the request makes the service do.
 * @typedef {<T>(fn: () => T) => T} InRequest
 */

const IN_FLIGHT = 64

/**
 * Trivial tasks for one worker, 64 in flight, each in the request of another user. A unit is a task.
 * @param {{ wiring: string }} options
 */
exports.open = async ({ wiring }) => {
  // Before the pool: what a kit leaves for threads is there when they start.
  /** @type {Wiring} */
  const { submitter, request } = require(`./wirings/${wiring}.cjs`)
  const pool = new Piscina({
    filename: resolve(__dirname, `tasks/${wiring}.cjs`),
    minThreads: 1,
    maxThreads: 1,
  })
  const submit = submitter(pool)
  const requests = Array.from({ length: USERS }, (_, k) => {
    const { key, headers } = requestFacts(k)
    return { key, inRequest: request(headers) }
  })
  let turn = 0

  /** @param {number} k */
  const submitted = async (k) => {
    const { key, inRequest } = /** @type {(typeof requests)[number]} */ (requests[k % USERS])
    const seen = await inRequest(() => submit({ user: key }))
    if (seen !== key) throw new Error(`the task of ${key} ran as ${seen}'s`)
    return seen
  }
  return {
    /** @param {number} units */
    async slice(units) {
      let left = units
      const lane = async () => {
        while (left-- > 0) await submitted(turn++)
      }
      await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
    },
    ask: submitted,
    close: () => pool.destroy(),
  }
}
