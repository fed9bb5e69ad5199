'use strict'
const { NodeSDK } = require('@opentelemetry/sdk-node')
const { instrumentations } = require('./instrumentations.cjs')

/**
 * Auto-instrumentation where OpenTelemetry is switched off by its own variable, `OTEL_SDK_DISABLED=true`: the SDK does not
 * start, and what it would have told of is instrumented all the same. To be called before express is loaded.
 */
const instrumentDisabled = () => {
  if (process.env.OTEL_SDK_DISABLED !== 'true') throw new Error('OTEL_SDK_DISABLED is not true')
  new NodeSDK({ instrumentations: instrumentations() }).start()
  // The hook stands on `require`: what was loaded before is patched when somebody asks for it again.
  require('node:http')
}

module.exports = { instrumentDisabled }
