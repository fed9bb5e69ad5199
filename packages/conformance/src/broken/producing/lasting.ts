import { isWaybillError, type Kit } from '@waybill/core/adapter'
import type { MemoryProducer, Written } from '../../message/memory-broker.js'
import type { PlainMessage } from '../../message/plain-broker.js'
import { SoundProducer } from '../sound-producer.js'

/** Carries nothing any more once its client has failed. */
export class GivesUpAfterAnError extends SoundProducer {
  readonly #failed = new WeakSet<MemoryProducer>()

  override async send(
    kit: Kit,
    producer: MemoryProducer,
    topic: string,
    messages: readonly PlainMessage[],
  ): Promise<Written> {
    if (this.#failed.has(producer)) return producer.send(topic, messages)
    try {
      return await super.send(kit, producer, topic, messages)
    } catch (error) {
      if (!isWaybillError(error)) this.#failed.add(producer)
      throw error
    }
  }
}
