import type { Adopted } from '@waybill/core/adapter'
import type { MemoryListener } from '../../message/memory-broker.js'
import type { ClientMessage } from '../../message/stored-message.js'
import { SoundConsumer } from '../sound-consumer.js'

/** Tells the application the tag by a header of the message. */
export class WritesToTheMessage extends SoundConsumer {
  override enter(
    adopted: Adopted,
    message: ClientMessage,
    eachMessage: MemoryListener['eachMessage'],
  ): Promise<void> {
    Object.assign(message.headers ?? {}, { 'x-clk': adopted.waybill.clk })
    return super.enter(adopted, message, eachMessage)
  }
}
