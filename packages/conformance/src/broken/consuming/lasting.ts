import type { Kit } from '@waybill/core/adapter'
import type { MemoryListener } from '../../message/memory-broker.js'
import type { ClientMessage } from '../../message/stored-message.js'
import { SoundConsumer } from '../sound-consumer.js'

/** Takes a message that comes again for one that it has adopted already. */
export class AdoptsTheFirstTimeOnly extends SoundConsumer {
  readonly #seen = new WeakSet<ClientMessage>()

  override listener(kit: Kit, topic: string, listener: MemoryListener): MemoryListener {
    const sound = super.listener(kit, topic, listener)
    return {
      ...sound,
      eachMessage: (message) => {
        if (this.#seen.has(message)) return listener.eachMessage(message)
        this.#seen.add(message)
        return sound.eachMessage(message)
      },
    }
  }
}
