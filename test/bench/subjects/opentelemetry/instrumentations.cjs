'use strict'
const { ExpressInstrumentation } = require('@opentelemetry/instrumentation-express')
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http')
const { UndiciInstrumentation } = require('@opentelemetry/instrumentation-undici')

/** What auto-instrumentation puts around the libraries of these subjects, enabled from birth. */
const instrumentations = () => [
  new HttpInstrumentation(),
  new ExpressInstrumentation(),
  new UndiciInstrumentation(),
]

module.exports = { instrumentations }
