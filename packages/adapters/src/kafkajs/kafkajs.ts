import type { Kit } from '@waybill/core/adapter'
import { waybillConsumer } from './consumer.js'
import { committedGroup, membershipOf } from './consumer-group.js'
import { derive } from './derive.js'
import type { ConsumerGroupChoice } from './group-rule.js'
import type { KafkaLike } from './kafka-shape.js'
import { waybillProducer } from './producer.js'
import type { WaybillKafka } from './waybill-kafka.js'

/** Symbol.for: what another copy of the package has wrapped is not wrapped again. */
const WRAPPED: unique symbol = Symbol.for('@waybill/adapters.kafkajs') as never

export interface KafkaWaybillOptions {
  /**
   * True: the dedicated headers (`clk`, `x-shard-key`, …) are written beside `baggage`, for consumers that read no baggage.
   * They make each message dearer to send. Default false.
   */
  readonly dedicatedHeaders?: boolean
}

interface ConsumerConfig {
  readonly groupId?: unknown
  readonly group?: ConsumerGroupChoice
}

/**
 * Wraps a `Kafka` of kafkajs: what its producers send carries the waybill, and its consumers handle each message in the
 * message's own. Writes nothing to the instance; `admin` and `logger` are the instance's. Wrapping a wrapper of the same
 * kit returns it.
 */
export function kafkaWaybill<Kafka extends KafkaLike>(
  kit: Kit,
  kafka: Kafka,
  options: KafkaWaybillOptions = {},
): WaybillKafka<Kafka> {
  if ((kafka as { readonly [WRAPPED]?: Kit })[WRAPPED] === kit) return kafka as unknown as WaybillKafka<Kafka>
  const settings = { dedicatedHeaders: options.dedicatedHeaders ?? false }
  const joined = new Map<string, ConsumerGroupChoice>()
  // Both are wrapped for a disabled kit too: the guard stays, and handlers may rely on forEachMessage.
  const own = {
    producer(config?: unknown) {
      return waybillProducer(kit, kafka.producer(config), settings, (groupId, group) =>
        committedGroup(kit, groupId, joined.get(groupId), group),
      )
    },
    consumer(config?: ConsumerConfig) {
      const { group, ...rest } = config ?? {}
      // kafkajs says itself what is wrong with a group that has no name.
      if (typeof rest.groupId !== 'string' || rest.groupId === '') return kafka.consumer(rest)
      const { groupId, decide } = membershipOf(kit, rest.groupId, group)
      if (group !== undefined) joined.set(rest.groupId, group)
      return waybillConsumer(kit, kafka.consumer({ ...rest, groupId }), decide)
    },
  }
  return derive(kafka, Object.defineProperty(own, WRAPPED, { value: kit })) as unknown as WaybillKafka<Kafka>
}
