import { createRequire } from 'node:module'
import { ExpressInstrumentation } from '@opentelemetry/instrumentation-express'
import { RouterInstrumentation } from '@opentelemetry/instrumentation-router'
import type express5 from 'express'
import { instrument } from './instrument.js'
import { Instrumented } from './instrumented.js'

// Express loads node:http, whose instrumentation has to be there before.
const layers = new Instrumented([[new ExpressInstrumentation(), new RouterInstrumentation()]], ['express'])
const require = createRequire(import.meta.url)

/** Loaded behind its instrumentation. */
export const express = require('express') as typeof express5

/** The package of express's own router, which applications use by itself, too. */
export const standaloneRouter = createRequire(require.resolve('express'))('router') as () => express5.Router

/**
 * Instruments node:http, and what is mounted from now on in applications of express and in routers.
 * @returns an undo; what was mounted stays instrumented.
 */
export function instrumentExpress(): () => void {
  const ends = [instrument(), layers.enable()]
  return () => {
    for (const end of ends) end()
  }
}
