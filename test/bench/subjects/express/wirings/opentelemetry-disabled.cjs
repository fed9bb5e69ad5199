'use strict'
const { instrumentDisabled } = require('../../opentelemetry/instrument-disabled.cjs')

/** @returns {import('../server.cjs').Wiring} */
const wire = () => {
  instrumentDisabled()
  return require('./bare.cjs').wire()
}

module.exports = { wire }
