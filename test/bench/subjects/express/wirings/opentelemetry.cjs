'use strict'
const { propagation } = require('@opentelemetry/api')
const { instrument } = require('../../opentelemetry/instrument.cjs')

/** @returns {import('../server.cjs').Wiring} */
const wire = () => {
  instrument()
  return { key: () => propagation.getActiveBaggage()?.getEntry('shard-key')?.value }
}

module.exports = { wire }
