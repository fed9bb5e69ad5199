'use strict'
const { AsyncLocalStorage } = require('node:async_hooks')
const { read, write } = require('../../hand-written/carrier.cjs')

/**
 * @param {{ around?: 'router' | 'app' }} options where the scope is entered: in a middleware (default), or in a listener
 * around the whole app
 * @returns {import('../server.cjs').Wiring}
 */
const wire = ({ around = 'router' }) => {
  /** @type {AsyncLocalStorage<import('../../hand-written/carrier.cjs').Carried>} */
  const als = new AsyncLocalStorage()
  const current = () => {
    const carried = als.getStore()
    if (carried === undefined) throw new Error('outside of every request')
    return carried
  }
  return {
    ...(around === 'app'
      ? { listener: (app) => (req, res) => als.run(read(req.headers['baggage']), () => app(req, res)) }
      : { middleware: (req, _res, next) => als.run(read(req.headers['baggage']), next) }),
    key: () => current().key,
    async carryOn(send) {
      const carried = current()
      if (carried.key === '') return false
      return send({ baggage: write(carried) })
    },
  }
}

module.exports = { wire }
