import type { Kit } from '@waybill/core/adapter'
import { derive } from './derive.js'
import type { ProducerLike } from './kafka-shape.js'
import { waybillSender, type SenderSettings } from './sender.js'

/** A producer of the same shape whose messages carry the waybill, those of its transactions too. */
export function waybillProducer(kit: Kit, producer: ProducerLike, settings: SenderSettings): ProducerLike {
  return derive(producer, {
    ...waybillSender(kit, producer, settings),
    async transaction() {
      const transaction = await producer.transaction()
      return derive(transaction, waybillSender(kit, transaction, settings))
    },
  })
}
