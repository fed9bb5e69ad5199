'use strict'
const { context, propagation, ROOT_CONTEXT, trace } = require('@opentelemetry/api')
const { propagate, span } = require('../../opentelemetry/propagation.cjs')

propagate()

/**
 * It has no instrumentation of worker threads; this is its inject and extract by hand.
 * @type {import('../submit.cjs').Wiring}
 */
module.exports = {
  submitter: (pool) => (task) => {
    const carrier = {}
    propagation.inject(context.active(), carrier)
    return pool.run({ task, carrier })
  },
  request(headers) {
    const extracted = propagation.extract(trace.setSpan(ROOT_CONTEXT, span), headers)
    return (fn) => context.with(extracted, fn)
  },
}
