import { setImmediate } from 'node:timers/promises'
import type { Call, Reply, Stamp } from '@waybill/core/adapter'
import type { MemoryProducer, Written } from '../../message/memory-broker.js'
import type { PlainMessage } from '../../message/plain-broker.js'
import { SoundProducer } from '../sound-producer.js'

/** Keeps the current call in a field, and reads it again after a turn of the loop. */
export class SharesACall extends SoundProducer {
  #current: { readonly call: Call; readonly stamp: Stamp } | undefined

  override async attempt(
    call: Call,
    stamp: Stamp,
    producer: MemoryProducer,
    topic: string,
    messages: readonly PlainMessage[],
  ): Promise<Reply<Written>> {
    this.#current = { call, stamp }
    await setImmediate()
    return super.attempt(this.#current.call, this.#current.stamp, producer, topic, messages)
  }
}
