import { checkArgument, checkOptions, type Kit } from '@waybill/core/adapter'
import { checkKafka } from './check-kafka.js'
import { waybillConsumer } from './consumer.js'
import { committedGroup, membershipOf } from './consumer-group.js'
import { derive } from './derive.js'
import { groupName, type ConsumerGroupChoice } from './group-rule.js'
import type { KafkaLike } from './kafka-shape.js'
import { waybillProducer } from './producer.js'
import type { WaybillKafka } from './waybill-kafka.js'

/** Symbol.for: what another copy of the package has wrapped is not wrapped again. */
const WRAPPED: unique symbol = Symbol.for('@waybill/adapters.kafkajs') as never

const CALL = 'kafkaWaybill(kit, kafka, options)'

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
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION for what is no kit or no `Kafka`, and for an option that there is not.
 */
export function kafkaWaybill<Kafka extends KafkaLike>(
  kit: Kit,
  kafka: Kafka,
  options: KafkaWaybillOptions = {},
): WaybillKafka<Kafka> {
  checkArgument(CALL, 'kit', kit, 'kit')
  checkKafka(CALL, kafka)
  checkOptions(CALL, options, { dedicatedHeaders: 'boolean' })
  const wrappedBy = (kafka as { readonly [WRAPPED]?: Kit })[WRAPPED]
  if (wrappedBy === kit) return kafka as unknown as WaybillKafka<Kafka>
  // Only the guard of another kit asks the host for the choice.
  const saidToHost = (group: ConsumerGroupChoice | undefined): ConsumerGroupChoice | undefined =>
    wrappedBy === undefined ? undefined : group
  const settings = { dedicatedHeaders: options.dedicatedHeaders ?? false }
  /** Undefined where consumers of a group have chosen differently: then offsets must say. */
  const joined = new Map<string, ConsumerGroupChoice | undefined>()
  // Both are wrapped for a disabled kit too: the guard stays, and handlers may rely on forEachMessage.
  const own = {
    producer(config?: unknown) {
      return waybillProducer(kit, kafka.producer(config), settings, (groupId, group) => ({
        consumerGroupId: committedGroup(kit, groupId, joined.get(groupId), group),
        group: saidToHost(group ?? joined.get(groupId)),
      }))
    },
    consumer(config?: ConsumerConfig) {
      const name = groupName(config?.groupId)
      if (config === undefined || name === undefined) return kafka.consumer(config)
      const { group } = config
      const { groupId, decide } = membershipOf(kit, name, group)
      if (group !== undefined) {
        joined.set(name, !joined.has(name) || joined.get(name) === group ? group : undefined)
      }
      const consumer = kafka.consumer(derive(config, { groupId, group: saidToHost(group) }))
      return waybillConsumer(kit, consumer, decide)
    },
  }
  return derive(kafka, Object.defineProperty(own, WRAPPED, { value: kit })) as unknown as WaybillKafka<Kafka>
}
