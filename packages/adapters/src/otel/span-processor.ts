import { context, SpanKind, trace, type Context, type Span } from '@opentelemetry/api'
import type { CallKind } from '@waybill/core/adapter'
import { attributesInstead, waybillAttributes } from './attributes.js'
import { serverRequestIn } from './server-request.js'

/** What both lines of the SDK ask of a span processor. */
export interface SpanProcessor {
  onStart(span: Span, parentContext: Context): void
  onEnd(span: unknown): void
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}

/** Puts what a waybill says on spans. */
export class WaybillSpanProcessor implements SpanProcessor {
  #started = false

  onStart(span: Span, parent: Context): void {
    this.#started = true
    span.setAttributes(waybillAttributes(parent))
  }

  /** The span of an arrival begins before anybody has judged the sender; it is told when that is done, and done again. */
  adopted(kind: CallKind): void {
    const held = context.active()
    const span = this.#started ? arrivalSpan(kind, held) : undefined
    if (span?.isRecording() === true) span.setAttributes(attributesInstead(span, held))
  }

  onEnd(): void {
    // What is to be said was said at the start.
  }

  forceFlush(): Promise<void> {
    return Promise.resolve()
  }

  shutdown(): Promise<void> {
    return Promise.resolve()
  }
}

/** The span of a whole batch is that of no one message; the one of a middleware that adopts lies within the request's. */
function arrivalSpan(kind: CallKind, held: Context): Span | undefined {
  const span = trace.getSpan(held)
  if (kind !== 'message') return serverRequestIn(held)?.span ?? span
  // The spans of an SDK know their kind; the API asks nobody to.
  return (span as { readonly kind?: SpanKind } | undefined)?.kind === SpanKind.CONSUMER ? span : undefined
}
