'use strict'
const { CompositePropagator, W3CTraceContextPropagator } = require('@opentelemetry/core')
const { otelWaybill } = require('@waybill/adapters/otel')
const { instrument } = require('./instrument.cjs')

/** The same auto-instrumentation as a service with a kit has it. To be called before express and the clients are loaded. */
const instrumentBesideKit = () => {
  const { propagator, spanProcessor } = otelWaybill()
  instrument({
    propagator: new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), propagator] }),
    spanProcessors: [spanProcessor],
  })
}

module.exports = { instrumentBesideKit }
