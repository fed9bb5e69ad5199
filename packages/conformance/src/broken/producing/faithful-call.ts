import type { Kit } from '@waybill/core/adapter'
import type { MemoryProducer, Written } from '../../message/memory-broker.js'
import type { PlainMessage } from '../../message/plain-broker.js'
import { SoundProducer } from '../sound-producer.js'

/** Resolves with something of its own. */
export class KeepsTheAnswer extends SoundProducer {
  override async send(
    kit: Kit,
    producer: MemoryProducer,
    topic: string,
    messages: readonly PlainMessage[],
  ): Promise<Written> {
    await super.send(kit, producer, topic, messages)
    return [] as never
  }
}
