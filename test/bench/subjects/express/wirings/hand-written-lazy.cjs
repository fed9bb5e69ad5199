'use strict'
const { AsyncLocalStorage } = require('node:async_hooks')
const { read } = require('../../hand-written/carrier.cjs')

/** @typedef {import('../../hand-written/carrier.cjs').Carried} Carried */

/**
 * The least middleware where nobody may ask: the header is kept as it came, and read once somebody does.
 * @returns {import('../server.cjs').Wiring}
 */
const wire = () => {
  /** @type {AsyncLocalStorage<{ header: string | string[] | undefined, carried: Carried | undefined }>} */
  const als = new AsyncLocalStorage()
  return {
    middleware: (req, _res, next) => als.run({ header: req.headers['baggage'], carried: undefined }, next),
    key() {
      const kept = als.getStore()
      if (kept === undefined) throw new Error('outside of every request')
      return (kept.carried ??= read(kept.header)).key
    },
  }
}

module.exports = { wire }
