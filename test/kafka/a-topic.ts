import { randomUUID } from 'node:crypto'
import type { Kafka } from 'kafkajs'

/** Creates a topic that no other test has, and names it. */
export async function aTopic(kafka: Kafka, numPartitions = 1): Promise<string> {
  const topic = `topic-${randomUUID()}`
  const admin = kafka.admin()
  await admin.connect()
  await admin.createTopics({ topics: [{ topic, numPartitions, replicationFactor: 1 }] })
  await admin.disconnect()
  return topic
}
