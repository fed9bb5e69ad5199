/** Of what is called or produced by the body of `eachBatch`. */
export const BATCH_REMEDY =
  'Hand each message to forEachMessage(fn) of the batch, or to runWithMessage(kit, { topic, message }, fn): docs/losing-context.md#kafka-batches'

/** Of what is called or produced by a listener of a consumer. */
export const CONSUMER_EVENT_REMEDY =
  'A consumer event belongs to no message; what it starts on purpose goes through kit.detached(fn): docs/losing-context.md#events-of-a-kafka-consumer'
