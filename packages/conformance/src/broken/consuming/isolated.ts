import { setImmediate } from 'node:timers/promises'
import type { Adopted } from '@waybill/core/adapter'
import type { MemoryListener } from '../../message/memory-broker.js'
import type { ClientMessage } from '../../message/stored-message.js'
import { SoundConsumer } from '../sound-consumer.js'

/** Keeps the current adoption in a field, and reads it again after a turn of the loop. */
export class SharesAVariable extends SoundConsumer {
  #current: Adopted | undefined

  override async enter(
    adopted: Adopted,
    message: ClientMessage,
    eachMessage: MemoryListener['eachMessage'],
  ): Promise<void> {
    this.#current = adopted
    await setImmediate()
    return super.enter(this.#current, message, eachMessage)
  }
}
