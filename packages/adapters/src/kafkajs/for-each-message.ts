import type { Kit } from '@waybill/core/adapter'
import type { BatchPayload, BatchMessage } from './kafka-shape.js'
import { runWithMessage } from './received-message.js'

/** What {@link ForEachMessage} does beside calling the function; kafkajs leaves it to the body of `eachBatch`. */
export interface ForEachMessageOptions {
  /** Resolves the offset of each message that was handled. Default false. */
  readonly resolve?: boolean
  /** Lets kafkajs send a heartbeat, where one is due, after each message. Default false. */
  readonly heartbeat?: boolean
}

/**
 * Calls a function for each message of the batch, in the message's own waybill: one after the other, in order. Ends early
 * when the consumer stops or the batch has become stale, and with the error of the first message that failed.
 */
export type ForEachMessage<Message> = (
  fn: (message: Message) => unknown,
  options?: ForEachMessageOptions,
) => Promise<void>

/** The loop over one batch. */
export function forEachMessage(kit: Kit, payload: BatchPayload): ForEachMessage<BatchMessage> {
  return async (fn, { resolve = false, heartbeat = false } = {}) => {
    const { topic, messages } = payload.batch
    for (const message of messages) {
      if (!payload.isRunning() || payload.isStale()) return
      await runWithMessage(kit, { topic, message }, () => fn(message))
      if (resolve) payload.resolveOffset(message.offset)
      if (heartbeat) await payload.heartbeat()
    }
  }
}
