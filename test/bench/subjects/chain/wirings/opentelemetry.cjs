'use strict'
const { instrument } = require('../../opentelemetry/instrument.cjs')

/**
 * The baggage that came is the baggage that goes; nothing is written by hand.
 * @param {import('../hop.cjs').WiringOptions} options
 * @returns {import('../hop.cjs').Wiring}
 */
const wire = (options) => {
  instrument()
  return { ...require('./bare.cjs').wire(options), forwards: true }
}

module.exports = { wire }
