import { isHandled, type Decide } from './decision.js'
import { derive } from './derive.js'
import type { BatchMessage, BatchPayload } from './kafka-shape.js'

/**
 * The payload of a batch with the messages that are to be handled; undefined where there are none. Skipped ones are passed
 * over: their offsets are resolved with that of the message before them, those in front at once.
 */
export function siftBatch(payload: BatchPayload, decide: Decide): BatchPayload | undefined {
  const { batch } = payload
  const handled: BatchMessage[] = []
  /** From the offset of a handled message to the last that was skipped right behind it. */
  const passedWith = new Map<string, string>()
  let passedFirst: string | undefined
  for (const message of batch.messages) {
    const before = handled.at(-1)
    if (isHandled(decide({ topic: batch.topic, message }))) handled.push(message)
    else if (before === undefined) passedFirst = message.offset
    else passedWith.set(before.offset, message.offset)
  }
  if (passedFirst !== undefined) payload.resolveOffset(passedFirst)
  if (handled.length === 0) return undefined
  return derive(payload, {
    batch: derive(batch, { messages: handled }),
    resolveOffset: (offset: string): void => {
      payload.resolveOffset(passedWith.get(offset) ?? offset)
    },
  })
}
