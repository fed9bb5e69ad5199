'use strict'
const { AsyncLocalStorage } = require('node:async_hooks')

/** @type {AsyncLocalStorage<string | undefined>} */
const als = new AsyncLocalStorage()

/**
 * Carries nothing, out of a scope such as every process has that carries anything: before Node 24 each promise of the
 * pool costs more there.
 * @type {import('../submit.cjs').Wiring}
 */
module.exports = {
  submitter: (pool) => (task) => pool.run(task),
  request:
    ({ baggage }) =>
    (fn) =>
      als.run(baggage, fn),
}
