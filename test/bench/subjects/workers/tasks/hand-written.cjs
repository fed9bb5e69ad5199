'use strict'
const { AsyncLocalStorage } = require('node:async_hooks')
const { read } = require('../../hand-written/carrier.cjs')

/** @type {AsyncLocalStorage<import('../../hand-written/carrier.cjs').Carried>} */
const als = new AsyncLocalStorage()

/** @param {{ baggage: string }} envelope */
module.exports = ({ baggage }) => als.run(read(baggage), () => als.getStore()?.key)
