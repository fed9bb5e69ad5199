import { context, createContextKey, type Context } from '@opentelemetry/api'

const SENDING = createContextKey('@waybill/adapters.otel.sending')

interface Sending {
  open: boolean
}

/**
 * Runs the sending of one attempt. Until it is answered the context says that the kit has written `baggage`; listeners of
 * the answer may inherit that context, and calls of theirs are others.
 */
export function runSending<T>(send: () => Promise<T>): Promise<T> {
  const sending: Sending = { open: true }
  const close = (): void => {
    sending.open = false
  }
  const sent = context.with(context.active().setValue(SENDING, sending), send)
  sent.then(close, close)
  return sent
}

/** True in the context of a call that a kit has stamped and is sending. */
export function isSending(held: Context): boolean {
  return (held.getValue(SENDING) as Sending | undefined)?.open === true
}
