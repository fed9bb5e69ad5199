'use strict'
const { instrumentBesideKit } = require('../../opentelemetry/instrument-beside-kit.cjs')

/** @returns {import('../server.cjs').Wiring} */
const wire = () => {
  instrumentBesideKit()
  return require('./kit.cjs').wire({})
}

module.exports = { wire }
