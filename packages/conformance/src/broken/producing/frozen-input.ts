import type { Call, Stamp } from '@waybill/core/adapter'
import type { PlainMessage } from '../../message/plain-broker.js'
import { SoundProducer } from '../sound-producer.js'

/** Fills the sender's messages where they lie. */
export class FillsMessages extends SoundProducer {
  override stamped(message: PlainMessage, call: Call, shared: Stamp): PlainMessage {
    return super.stamped(Object.assign(message, { key: message.key }), call, shared)
  }
}
