'use strict'
const { registerInstrumentations } = require('@opentelemetry/instrumentation')
const { ExpressInstrumentation } = require('@opentelemetry/instrumentation-express')
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http')
const { UndiciInstrumentation } = require('@opentelemetry/instrumentation-undici')
const { AlwaysOnSampler, NodeTracerProvider } = require('@opentelemetry/sdk-trace-node')

/** Takes finished spans and keeps none: what is measured is the instrumentation, no export. */
const processor = {
  onStart() {},
  onEnd() {},
  async forceFlush() {},
  async shutdown() {},
}

/**
 * Auto-instrumentation as a service has it: every request is sampled, trace context and baggage are read and written by
 * the W3C propagators (the provider's own choice), in an AsyncLocalStorage. To be called before express is loaded.
 */
const instrument = () => {
  const provider = new NodeTracerProvider({ sampler: new AlwaysOnSampler(), spanProcessors: [processor] })
  provider.register()
  registerInstrumentations({
    tracerProvider: provider,
    instrumentations: [new HttpInstrumentation(), new ExpressInstrumentation(), new UndiciInstrumentation()],
  })
  // The hook stands on `require`: what was loaded before is patched when somebody asks for it again.
  require('node:http')
}

module.exports = { instrument }
