import { context, createContextKey, propagation, type Context } from '@opentelemetry/api'
import { WithheldBaggage } from './withheld-baggage.js'

const SENDING = createContextKey('@waybill/adapters.otel.sending')

interface Sending {
  open: boolean
}

/**
 * Runs the sending of one attempt. Until it is answered the context says that the kit has written `baggage`; listeners of
 * the answer may inherit that context, and calls of theirs are others.
 * @param withhold true: the propagator does not ask whether a kit is sending, and is shown no baggage meanwhile.
 * @param ended called when it is answered or has failed.
 */
export function runSending<T>(
  send: () => Promise<T>,
  withhold = false,
  ended: () => void = () => {},
): Promise<T> {
  const sending: Sending = { open: true }
  const close = (): void => {
    sending.open = false
    ended()
  }
  const held = context.active().setValue(SENDING, sending)
  const baggage = withhold ? propagation.getBaggage(held) : undefined
  const own = baggage && propagation.setBaggage(held, new WithheldBaggage(baggage, () => sending.open))
  const sent = context.with(own ?? held, send)
  sent.then(close, close)
  return sent
}

/** True in the context of a call that a kit has stamped and is sending. */
export function isSending(held: Context): boolean {
  return (held.getValue(SENDING) as Sending | undefined)?.open === true
}
