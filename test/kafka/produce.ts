import type { Kafka, ProducerRecord } from 'kafkajs'

/** Sends one record and resolves when the broker has acknowledged it. */
export async function produce(kafka: Kafka, record: ProducerRecord): Promise<void> {
  const producer = kafka.producer()
  await producer.connect()
  await producer.send(record)
  await producer.disconnect()
}
