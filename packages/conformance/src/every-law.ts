import type { InboundLaw, OutboundLaw } from './adapter-record.js'

/**
 * The answers of a listener that obeys every law, those that are yet to come included. One that does not names what it
 * does not: `{ ...everyInboundLaw, admission: { no: 'why' } }`.
 */
export const everyInboundLaw: Readonly<Record<InboundLaw, true>> = {
  carried: true,
  isolated: true,
  lasting: true,
  'hostile-input': true,
  'own-headers': true,
  'applied-once': true,
  'disabled-identity': true,
  'published-once': true,
  admission: true,
  'told-reply': true,
}

/** Likewise of a client. */
export const everyOutboundLaw: Readonly<Record<OutboundLaw, true>> = {
  carried: true,
  isolated: true,
  lasting: true,
  'hostile-input': true,
  'own-headers': true,
  'applied-once': true,
  'disabled-identity': true,
  'published-once': true,
  'frozen-input': true,
  'interceptor-order': true,
  'faithful-call': true,
  'target-only': true,
  'connection-per-target': true,
}
