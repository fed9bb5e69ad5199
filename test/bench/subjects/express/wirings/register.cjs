'use strict'
const { currentWaybill } = require('@waybill/core')

/**
 * Nothing is wired: the flag with which the process was started has done it.
 * @returns {import('../server.cjs').Wiring}
 */
const wire = () => ({ key: () => currentWaybill().shardKey })

module.exports = { wire }
