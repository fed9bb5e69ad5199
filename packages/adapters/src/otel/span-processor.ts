import { context, trace, type Context, type Span } from '@opentelemetry/api'
import { waybillAttributes } from './attributes.js'

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

  /** The span of an arrival begins before anybody has judged the sender; it is told when that is done. */
  adopted(): void {
    const span = this.#started ? trace.getActiveSpan() : undefined
    if (span?.isRecording() === true) span.setAttributes(waybillAttributes(context.active()))
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
