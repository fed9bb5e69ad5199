'use strict'
const { instrumentBesideKit } = require('../../opentelemetry/instrument-beside-kit.cjs')

/**
 * @param {{ around?: 'router' | 'app' }} options
 * @returns {import('../server.cjs').Wiring}
 */
const wire = (options) => {
  instrumentBesideKit()
  return require('./kit.cjs').wire(options)
}

module.exports = { wire }
