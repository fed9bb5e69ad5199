import type { Kit } from '@waybill/core/adapter'
import type { MemoryProducer, Written } from '../../message/memory-broker.js'
import type { PlainMessage } from '../../message/plain-broker.js'
import { SoundProducer } from '../sound-producer.js'

/** Repeats a failed send on its own, outside of the call that the kit knows. */
export class RepeatsInSecret extends SoundProducer {
  override async send(
    kit: Kit,
    producer: MemoryProducer,
    topic: string,
    messages: readonly PlainMessage[],
  ): Promise<Written> {
    try {
      return await super.send(kit, producer, topic, messages)
    } catch {
      return super.send(kit, producer, topic, messages)
    }
  }
}
