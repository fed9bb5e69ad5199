import { randomUUID } from 'node:crypto'
import type { Producer } from 'kafkajs'
import { kafkaWaybill } from '@waybill/adapters/kafkajs'
import { otelWaybill } from '@waybill/adapters/otel'
import type { PlainBroker, StoredMessage } from '@waybill/conformance/message'
import { expectWritten } from '@waybill/conformance/table'
import { createKit } from '@waybill/core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { KafkaBroker, client, producerConfig } from '../../packages/adapters/test/kafka-broker.js'
import {
  cell,
  inAlicesRequest,
  InjectionTable,
  ways,
} from '../../packages/adapters/test/otel/injection-table.js'
import { instrumentKafkajs } from '../../packages/adapters/test/otel/instrument-kafkajs.js'
import { lineups } from '../../packages/adapters/test/otel/sdk-lineups.js'

/** Sends one message to each of two topics. */
type Send = (producer: Producer, topics: readonly string[], value: string) => Promise<unknown>

const sends: Readonly<Record<string, Send>> = {
  async send(producer, topics, value) {
    for (const topic of topics) await producer.send({ topic, messages: [{ value }] })
  },
  sendBatch: (producer, topics, value) =>
    producer.sendBatch({ topicMessages: topics.map((topic) => ({ topic, messages: [{ value }] })) }),
  async transaction(producer, topics, value) {
    const transaction = await producer.transaction()
    for (const topic of topics) await transaction.send({ topic, messages: [{ value }] })
    await transaction.commit()
  },
}

const ends: (() => unknown)[] = []
let broker: PlainBroker
/** A topic of the fleet, and one outside. */
let topics: readonly [within: string, beyond: string]

beforeAll(async () => {
  broker = await KafkaBroker.connect()
  topics = [await broker.createTopic(), await broker.createTopic()]
  // Their readers are there before anything is instrumented.
  for (const topic of topics) await broker.read(topic, 0)
})
afterAll(() => broker.close())
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

let sent = 0
async function arrived(topic: string, value: string): Promise<StoredMessage> {
  const messages = await broker.read(topic, sent)
  return messages.find((message) => message.value === value) as StoredMessage
}

const table = new InjectionTable()

describe.each(Object.entries(sends))('%s', (name, send) => {
  describe.each(ways)('%s', (way) => {
    test.each(lineups)('$name', async (lineup) => {
      const otel = otelWaybill()
      ends.push(otel.undo, lineup.register(otel.propagator))
      if (way !== 'by hand') ends.push(instrumentKafkajs(lineup.sdks))
      const kit = createKit({
        service: 'order',
        environment: 'test',
        baseline: true,
        trust: { topics: [topics[0]] },
      })
      const kafka = way === 'instrumented' ? client() : kafkaWaybill(kit, client())
      const producer = kafka.producer({
        ...producerConfig,
        ...(name === 'transaction' && { transactionalId: randomUUID(), maxInFlightRequests: 1 }),
      })
      await producer.connect()
      ends.push(() => producer.disconnect())
      const value = randomUUID()
      await inAlicesRequest(() => send(producer, topics, value))
      sent++
      const seen = cell(await arrived(topics[0], value), await arrived(topics[1], value), false)
      const row = `kafkajs, ${name}`
      expect(seen).toBe(table.expected(row, way, lineup))
      table.note(row, way, lineup, seen)
    })
  })
})

test('the page says what was seen', async () => {
  await expectWritten('docs/opentelemetry.md', 'otel: injection by kafkajs', table.text())
})
