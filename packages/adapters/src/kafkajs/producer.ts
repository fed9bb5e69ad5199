import type { Kit } from '@waybill/core/adapter'
import { derive } from './derive.js'
import { groupName, type ConsumerGroupChoice } from './group-rule.js'
import type { ProducerLike } from './kafka-shape.js'
import { waybillSender, type SenderSettings } from './sender.js'

interface Offsets {
  readonly consumerGroupId?: unknown
  readonly group?: ConsumerGroupChoice
}

/** Names the group to which offsets are committed, and what is said to the host of the choice. */
export type NameGroup = (
  groupId: string,
  group: ConsumerGroupChoice | undefined,
) => { readonly consumerGroupId: string; readonly group: ConsumerGroupChoice | undefined }

/**
 * A producer of the same shape whose messages carry the waybill, those of its transactions too.
 * @param nameGroup throws where a transaction may not commit offsets to the group.
 */
export function waybillProducer(
  kit: Kit,
  producer: ProducerLike,
  settings: SenderSettings,
  nameGroup: NameGroup,
): ProducerLike {
  return derive(producer, {
    ...waybillSender(kit, producer, settings),
    async transaction() {
      const transaction = await producer.transaction()
      return derive(transaction, {
        ...waybillSender(kit, transaction, settings),
        async sendOffsets(offsets?: Offsets): Promise<unknown> {
          const name = groupName(offsets?.consumerGroupId)
          if (offsets === undefined || name === undefined) return transaction.sendOffsets(offsets)
          return transaction.sendOffsets(derive(offsets, nameGroup(name, offsets.group)))
        },
      })
    },
  })
}
