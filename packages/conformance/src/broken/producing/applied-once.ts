import type { Kit } from '@waybill/core/adapter'
import type { MemoryProducer } from '../../message/memory-broker.js'
import { SoundProducer } from '../sound-producer.js'

/** Does not recognise what it has wrapped. */
export class WrapsAgain extends SoundProducer {
  override wrap(kit: Kit, producer: MemoryProducer): MemoryProducer {
    return super.wrap(kit, { send: (topic, messages) => producer.send(topic, messages) })
  }
}
