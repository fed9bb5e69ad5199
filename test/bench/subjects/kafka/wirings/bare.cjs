'use strict'

/** @type {import('../send.cjs').Wiring} */
module.exports = {
  sending: (kafka) => ({ producer: kafka.producer(), carries: false, inRequest: (_headers, send) => send() }),
  receiving: () => () => undefined,
}
