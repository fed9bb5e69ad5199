export { messageLaws } from './message-laws.js'
export { everyConsumingLaw, everyProducingLaw } from './every-message-law.js'
export { deepFreeze } from './deep-freeze.js'
export { storedMessage, type ClientMessage } from './message/stored-message.js'
export type { AdapterKind } from './opening.js'
export type { HeaderValue, PlainBroker, PlainMessage, StoredMessage } from './message/plain-broker.js'
export type {
  ConsumerOpening,
  ConsumingHalf,
  ConsumingLaw,
  MessageRecord,
  ProducingHalf,
  ProducingHop,
  ProducingLaw,
} from './message-record.js'
