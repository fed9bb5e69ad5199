import { randomUUID } from 'node:crypto'
import type { Consumer, ConsumerConfig, ConsumerRunConfig, EachMessagePayload } from 'kafkajs'
import { onTestFinished } from 'vitest'

/** A group that no other test has, which outlives a pause of the machine. */
export const aGroup = (): ConsumerConfig & { readonly groupId: string } => ({
  groupId: `group-${randomUUID()}`,
  sessionTimeout: 10_000,
  heartbeatInterval: 300,
  maxWaitTimeInMs: 100,
})

/**
 * Subscribes, runs, and resolves when the first fetch was answered: what is sent before that to a new group may be lost
 * unless it reads from the beginning, as it does here. Disconnects when the test is over.
 */
export async function consume(consumer: Consumer, topics: string[], run: ConsumerRunConfig): Promise<void> {
  onTestFinished(() => consumer.disconnect())
  const fetched = new Promise<void>((resolve) => {
    consumer.on(consumer.events.FETCH, () => {
      resolve()
    })
  })
  await consumer.connect()
  await consumer.subscribe({ topics, fromBeginning: true })
  await consumer.run(run)
  await fetched
}

/** Consumes as `consume` does, and resolves with so many messages in the order in which they came. */
export function consumed(consumer: Consumer, topics: string[], count: number): Promise<EachMessagePayload[]> {
  const messages: EachMessagePayload[] = []
  return new Promise((resolve, reject) => {
    const eachMessage = async (payload: EachMessagePayload): Promise<void> => {
      messages.push(payload)
      if (messages.length === count) resolve(messages)
    }
    consume(consumer, topics, { eachMessage }).catch(reject)
  })
}
