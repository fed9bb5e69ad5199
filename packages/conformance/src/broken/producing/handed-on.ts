import { stampFor, type Call, type Stamp } from '@waybill/core/adapter'
import type { PlainMessage } from '../../message/plain-broker.js'
import { SoundProducer, textOf } from '../sound-producer.js'

/** Counts a hop for each time that a message goes round. */
export class CountsEachRound extends SoundProducer {
  override stamped(message: PlainMessage, call: Call, shared: Stamp): PlainMessage {
    const { headers } = message
    if (headers === undefined) return super.stamped(message, call, shared)
    const stamp = stampFor(call, (name) => textOf(headers, name)?.replace(/waybill-depth=\d+,/, ''))
    return { ...message, headers: this.headers(headers, stamp) }
  }
}
