/* eslint-disable @typescript-eslint/no-explicit-any -- kafkajs's own types differ from release to release; nothing narrower accepts all of them */

/** The members of a `Kafka` of kafkajs that the kit touches. */
export interface KafkaLike {
  producer(config?: any): ProducerLike
  consumer(config: any): ConsumerLike
}

/** What sends: a producer, or one of its transactions. */
export interface SenderLike {
  send(record: any): Promise<any>
  sendBatch(batch: any): Promise<any>
}

export interface ProducerLike extends SenderLike {
  transaction(): Promise<TransactionLike>
}

export interface TransactionLike extends SenderLike {
  sendOffsets(offsets: any): Promise<any>
}

export interface ConsumerLike {
  run(config?: any): Promise<void>
  on(eventName: any, listener: (event: any) => void): () => void
}

/* eslint-enable @typescript-eslint/no-explicit-any */

/** The payload of `eachMessage`. */
export interface MessagePayload {
  readonly topic: string
  readonly message: BatchMessage
}

/** The payload of `eachBatch`. */
export interface BatchPayload {
  readonly batch: {
    readonly topic: string
    readonly messages: readonly BatchMessage[]
  }
  resolveOffset(offset: string): void
  heartbeat(): Promise<void>
  isRunning(): boolean
  isStale(): boolean
}

/** A received message. */
export interface BatchMessage {
  readonly offset: string
  readonly headers?: unknown
}

/** What `consumer.run` takes. */
export interface RunConfig {
  readonly eachMessage?: ((payload: MessagePayload) => Promise<void>) | null
  readonly eachBatch?: ((payload: BatchPayload) => Promise<void>) | null
}
