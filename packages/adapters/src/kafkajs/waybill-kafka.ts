import type { ForEachMessage } from './for-each-message.js'
import type { ConsumerGroupChoice } from './group-rule.js'
import type { ConsumerLike, KafkaLike, ProducerLike } from './kafka-shape.js'

/** A `Kafka` of the same shape, whose producers and consumers carry the waybill. */
export type WaybillKafka<Kafka extends KafkaLike> = Omit<Kafka, 'consumer' | 'producer'> & {
  producer(config?: Parameters<Kafka['producer']>[0]): WaybillProducer<ReturnType<Kafka['producer']>>
  /**
   * @throws WaybillError ERR_WAYBILL_SHARED_GROUP outside production, in a process that bears neither the baseline mark
   * nor a clk, or a clk and no `group`.
   */
  consumer(
    config: Parameters<Kafka['consumer']>[0] & { readonly group?: ConsumerGroupChoice },
  ): WaybillConsumer<ReturnType<Kafka['consumer']>>
}

type TransactionOf<Producer extends ProducerLike> = Awaited<ReturnType<Producer['transaction']>>

/** A producer of the same shape, whose messages carry the waybill. */
export type WaybillProducer<Producer extends ProducerLike> = Omit<Producer, 'transaction'> & {
  transaction(): Promise<
    Omit<TransactionOf<Producer>, 'sendOffsets'> & {
      /**
       * Commits to the group that this Kafka's consumer of `consumerGroupId` has joined; `group` says it where it has none.
       * @throws WaybillError ERR_WAYBILL_SHARED_GROUP (a rejection), as `consumer` does, where neither has said it.
       */
      sendOffsets(
        offsets: Parameters<TransactionOf<Producer>['sendOffsets']>[0] & {
          readonly group?: ConsumerGroupChoice
        },
      ): ReturnType<TransactionOf<Producer>['sendOffsets']>
    }
  >
}

/** A consumer of the same shape, whose handlers run in the waybill of their message. */
export type WaybillConsumer<Consumer extends ConsumerLike> = Omit<Consumer, 'run'> & {
  run(config?: WaybillConsumerRunConfig<Consumer>): Promise<void>
}

type RunConfigOf<Consumer extends ConsumerLike> = NonNullable<Parameters<Consumer['run']>[0]>
type BatchPayloadOf<Consumer extends ConsumerLike> = Parameters<
  NonNullable<RunConfigOf<Consumer>['eachBatch']>
>[0]
type MessageOf<Payload> = Payload extends { batch: { messages: readonly (infer Message)[] } }
  ? Message
  : never

/** What `run` takes: the consumer's own, with `forEachMessage` in the payload of `eachBatch`. */
export type WaybillConsumerRunConfig<Consumer extends ConsumerLike> = Omit<
  RunConfigOf<Consumer>,
  'eachBatch'
> & {
  eachBatch?: (
    payload: BatchPayloadOf<Consumer> & {
      readonly forEachMessage: ForEachMessage<MessageOf<BatchPayloadOf<Consumer>>>
    },
  ) => Promise<void>
}
