import { expectArrivals, runOutside, type Kit } from '@waybill/core/adapter'
import { isHandled, type Decide } from './decision.js'
import { derive } from './derive.js'
import { forEachMessage } from './for-each-message.js'
import type { BatchPayload, ConsumerLike, MessagePayload, RunConfig } from './kafka-shape.js'
import { BATCH_REMEDY, CONSUMER_EVENT_REMEDY } from './loss-remedies.js'
import { plainCopy } from './plain-copy.js'
import { runWithMessage } from './received-message.js'
import { siftBatch } from './sift-batch.js'

/** What kafkajs reads of a run's settings, besides the handlers. */
const RUN = [
  'autoCommit',
  'autoCommitInterval',
  'autoCommitThreshold',
  'eachBatchAutoResolve',
  'partitionsConsumedConcurrently',
] as const

/**
 * A consumer of the same shape whose handlers run in the waybill of their message, and whose listeners in none.
 * @param decide undefined: every message is handled.
 */
export function waybillConsumer(kit: Kit, consumer: ConsumerLike, decide: Decide | undefined): ConsumerLike {
  const outside = <T>(remedy: string, fn: () => T): T => (kit.disabled ? fn() : runOutside(remedy, fn))
  return derive(consumer, {
    run(config?: RunConfig): Promise<void> {
      const { eachMessage, eachBatch } = config ?? {}
      const own: RunConfig = {
        ...(config && plainCopy(config, RUN)),
        ...(eachMessage && {
          eachMessage: (payload: MessagePayload): Promise<void> =>
            decide === undefined || isHandled(decide(payload))
              ? runWithMessage(kit, payload, () => eachMessage(payload))
              : Promise.resolve(),
        }),
        ...(eachBatch && {
          eachBatch: (payload: BatchPayload): Promise<void> => {
            const seen = decide === undefined ? payload : siftBatch(payload, decide)
            if (seen === undefined) return Promise.resolve()
            const extended = derive(seen, { forEachMessage: forEachMessage(kit, seen) })
            // The loop may be by hand and take in nothing: what it sends is lost all the same.
            if (!kit.disabled) expectArrivals(kit)
            return outside(BATCH_REMEDY, () => eachBatch(extended))
          },
        }),
      }
      // What kafkajs starts here lives on for as long as the consumer does.
      return outside(CONSUMER_EVENT_REMEDY, () => consumer.run(config && own))
    },
    on(eventName: unknown, listener: (event: unknown) => unknown): () => void {
      return consumer.on(eventName, (event) => outside(CONSUMER_EVENT_REMEDY, () => listener(event)))
    },
  })
}
