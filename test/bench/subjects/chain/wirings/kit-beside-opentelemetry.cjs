'use strict'
const { instrumentBesideKit } = require('../../opentelemetry/instrument-beside-kit.cjs')

/**
 * @param {import('../hop.cjs').WiringOptions} options
 * @returns {import('../hop.cjs').Wiring}
 */
const wire = (options) => {
  instrumentBesideKit()
  return require('./kit.cjs').wire(options)
}

module.exports = { wire }
