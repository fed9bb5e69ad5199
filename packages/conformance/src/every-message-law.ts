import type { ConsumingLaw, ProducingLaw } from './message-record.js'

/** The answers of a producer that obeys every law, those that are yet to come included. */
export const everyProducingLaw: Readonly<Record<ProducingLaw, true>> = {
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
  'handed-on': true,
}

/** Likewise of a consumer. */
export const everyConsumingLaw: Readonly<Record<ConsumingLaw, true>> = {
  carried: true,
  isolated: true,
  lasting: true,
  'hostile-input': true,
  'own-headers': true,
  'applied-once': true,
  'disabled-identity': true,
  'published-once': true,
  outside: true,
}
