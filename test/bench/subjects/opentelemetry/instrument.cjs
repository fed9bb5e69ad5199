'use strict'
const { registerInstrumentations } = require('@opentelemetry/instrumentation')
const { AlwaysOnSampler, NodeTracerProvider } = require('@opentelemetry/sdk-trace-node')
const { instrumentations } = require('./instrumentations.cjs')

/** Takes finished spans and keeps none: what is measured is the instrumentation, no export. */
const processor = {
  onStart() {},
  onEnd() {},
  async forceFlush() {},
  async shutdown() {},
}

/**
 * Auto-instrumentation as a service has it: every request is sampled, trace context and baggage are read and written in
 * an AsyncLocalStorage. To be called before express is loaded.
 * @param {object} [beside] what a service has beside it
 * @param {import('@opentelemetry/api').TextMapPropagator} [beside.propagator] default: the W3C propagators, the provider's
 * own choice
 * @param {import('@opentelemetry/sdk-trace-node').SpanProcessor[]} [beside.spanProcessors] before the one that exports.
 * Default none.
 */
const instrument = ({ propagator, spanProcessors = [] } = {}) => {
  const provider = new NodeTracerProvider({
    sampler: new AlwaysOnSampler(),
    spanProcessors: [...spanProcessors, processor],
  })
  provider.register(propagator === undefined ? {} : { propagator })
  registerInstrumentations({ tracerProvider: provider, instrumentations: instrumentations() })
  // The hook stands on `require`: what was loaded before is patched when somebody asks for it again.
  require('node:http')
}

module.exports = { instrument }
