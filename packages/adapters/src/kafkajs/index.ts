export { kafkaWaybill, type KafkaWaybillOptions } from './kafkajs.js'
export { runWithMessage, waybillOf, type ReceivedMessage } from './received-message.js'
export type { ForEachMessage, ForEachMessageOptions } from './for-each-message.js'
export type { ConsumerGroupChoice } from './group-rule.js'
export type {
  WaybillConsumer,
  WaybillConsumerRunConfig,
  WaybillKafka,
  WaybillProducer,
} from './waybill-kafka.js'
export type { KafkaLike } from './kafka-shape.js'
