import { createContextKey, propagation, type Context } from '@opentelemetry/api'
import { siftBaggage } from '@waybill/core/adapter'
import { formatEntries } from './baggage-entries.js'

/** The key of `suppressTracing` in `@opentelemetry/core`, which is no peer: under it an exporter sends its own calls. */
const SUPPRESSED = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING')

/** True where code of the tracer itself runs, whose calls bear nothing of the request. */
export function isSuppressed(context: Context): boolean {
  return context.getValue(SUPPRESSED) === true
}

/** OpenTelemetry's baggage as the text of a header, without members of our names, whoever put them there. */
export function foreignBaggage(context: Context): string {
  const baggage = propagation.getBaggage(context)
  return baggage === undefined || isSuppressed(context) ? '' : siftBaggage(formatEntries(baggage)).foreign
}
