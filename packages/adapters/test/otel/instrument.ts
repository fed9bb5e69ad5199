import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { Instrumented } from './instrumented.js'

// Of two instrumentations of node:http the second takes the patch of the first away; those of undici both listen.
const http = new Instrumented(
  [[new HttpInstrumentation(), new UndiciInstrumentation()], [new UndiciInstrumentation()]],
  ['http'],
)

/**
 * Instruments node:http and undici.
 * @param sdks how many SDKs bring their instrumentations along. Default 1.
 * @returns an undo.
 */
export function instrument(sdks = 1): () => void {
  return http.enable(sdks)
}
