import { createRequire, syncBuiltinESMExports } from 'node:module'
import { trace } from '@opentelemetry/api'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'

// A module is patched for the first instrumentation that there was when it was required: so one for the whole process.
const instrumentations = [new HttpInstrumentation(), new UndiciInstrumentation()]
createRequire(import.meta.url)('http')
setEnabled(false)

function setEnabled(enabled: boolean): void {
  for (const each of instrumentations) {
    each.setTracerProvider(trace.getTracerProvider())
    if (enabled) each.enable()
    else each.disable()
  }
  // ES modules see what was patched when their exports are synchronised.
  syncBuiltinESMExports()
}

/**
 * Instruments node:http and undici, as auto-instrumentation does at the start of a process.
 * @returns an undo.
 */
export function instrument(): () => void {
  setEnabled(true)
  return () => setEnabled(false)
}
