'use strict'
const { AsyncLocalStorage } = require('node:async_hooks')
const { read, write } = require('../../hand-written/carrier.cjs')

/** @type {AsyncLocalStorage<import('../../hand-written/carrier.cjs').Carried>} */
const als = new AsyncLocalStorage()

/** @type {import('../submit.cjs').Wiring} */
module.exports = {
  submitter: (pool) => (task) => {
    const carried = als.getStore()
    return pool.run(carried === undefined ? task : { task, baggage: write(carried) })
  },
  request({ baggage }) {
    const carried = read(baggage)
    return (fn) => als.run(carried, fn)
  },
}
