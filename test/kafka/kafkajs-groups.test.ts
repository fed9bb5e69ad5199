import { randomUUID } from 'node:crypto'
import type { Consumer, ConsumerRunConfig, Kafka } from 'kafkajs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { kafkaWaybill, type WaybillConsumerRunConfig } from '@waybill/adapters/kafkajs'
import { createKit, currentWaybill, type Kit, type KitOptions } from '@waybill/core'
import { aTopic } from './a-topic.js'
import { client } from './client.js'
import { aGroup, consume } from './consume.js'

const kitOf = (options: KitOptions): Kit => createKit({ service: 'order', environment: 'test', ...options })
const baseline = kitOf({ baseline: true })
const alice = kitOf({ clks: 'alice' })

/** A group may be long in forming on a busy machine. */
const PATIENCE = { timeout: 30_000 }

const TAGS = ['bob', 'alice', undefined, 'bob', 'alice', 'alice.dev', undefined]

/** Sends one message for each tag, to one partition; the value is its offset. */
async function sendTagged(topic: string): Promise<void> {
  const producer = client().producer()
  await producer.connect()
  const messages = TAGS.map((clk, at) => ({
    value: String(at),
    headers: clk === undefined ? {} : { baggage: `clk=${clk},waybill-depth=1` },
  }))
  await producer.send({ topic, messages })
  await producer.disconnect()
}

/** Starts a consumer in a group, as a process with this kit. */
async function joined(
  by: Kit,
  topic: string,
  groupId: string,
  run: WaybillConsumerRunConfig<Consumer>,
): Promise<Consumer> {
  const consumer: Consumer = kafkaWaybill(by, client()).consumer({ ...aGroup(), groupId, group: 'own' })
  await consume(consumer, [topic], run as ConsumerRunConfig)
  return consumer
}

async function committed(kafka: Kafka, groupId: string, topic: string): Promise<string | undefined> {
  const admin = kafka.admin()
  await admin.connect()
  try {
    const [found] = await admin.fetchOffsets({ groupId, topics: [topic] })
    return found?.partitions[0]?.offset
  } finally {
    await admin.disconnect()
  }
}

const handledTo =
  (seen: string[]): NonNullable<ConsumerRunConfig['eachMessage']> =>
  async ({ message }) => {
    seen.push(`${String(message.value)} ${currentWaybill().clk}`)
  }

test('routing 52 a laptop handles its own messages in a group of its own, and the baseline handles all', async () => {
  const kafka = client()
  const topic = await aTopic(kafka, 2)
  const groupId = `group-${randomUUID()}`
  const [hers, everybodys]: [string[], string[]] = [[], []]
  const shared = await joined(baseline, topic, groupId, { eachMessage: handledTo(everybodys) })
  await joined(alice, topic, groupId, { eachMessage: handledTo(hers) })
  const partitions = async (): Promise<unknown> => {
    const { members } = await shared.describeGroup()
    return members.length
  }
  expect(await partitions()).toBe(1)
  await sendTagged(topic)
  await vi.waitUntil(() => hers.length >= 2 && everybodys.length >= TAGS.length, PATIENCE)
  expect(hers.sort()).toEqual(['1 alice', '4 alice'])
  expect(everybodys.sort()).toEqual(TAGS.map((clk, at) => `${at} ${clk}`))
  expect(await partitions()).toBe(1)
})

test.each([
  ['eachMessage', (seen: string[]): WaybillConsumerRunConfig<Consumer> => ({ eachMessage: handledTo(seen) })],
  [
    'eachBatch',
    (seen: string[]): WaybillConsumerRunConfig<Consumer> => ({
      eachBatchAutoResolve: false,
      eachBatch: ({ forEachMessage }) =>
        forEachMessage(({ value }) => seen.push(`${String(value)} ${currentWaybill().clk}`), {
          resolve: true,
        }),
    }),
  ],
])('what a laptop passes over is committed like what it handles, by %s', async (_, run) => {
  const kafka = client()
  const topic = await aTopic(kafka)
  const groupId = `group-${randomUUID()}`
  const seen: string[] = []
  await sendTagged(topic)
  await joined(alice, topic, groupId, run(seen))
  const own = `${groupId}__clk__alice`
  await vi.waitFor(async () => {
    expect(await committed(kafka, own, topic)).toBe(String(TAGS.length))
  }, PATIENCE)
  expect(seen).toEqual(['1 alice', '4 alice'])
  expect(await committed(kafka, groupId, topic)).toBe('-1')
})

test('the offsets that a laptop commits in a transaction are those of its own group', async () => {
  const kafka = client()
  const topic = await aTopic(kafka)
  const groupId = `group-${randomUUID()}`
  const wrapper = kafkaWaybill(alice, kafka)
  const producer = wrapper.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    transactionalId: `transaction-${groupId}`,
  })
  await producer.connect()
  onTestFinished(() => producer.disconnect())
  const offsets = {
    consumerGroupId: groupId,
    topics: [{ topic, partitions: [{ partition: 0, offset: '5' }] }],
  }

  const refused = await producer.transaction()
  await expect(refused.sendOffsets(offsets)).rejects.toThrow(/group: 'own'.*\[ERR_WAYBILL_SHARED_GROUP\]/)
  await refused.abort()

  wrapper.consumer({ groupId, group: 'own' })
  const transaction = await producer.transaction()
  await transaction.sendOffsets(offsets)
  await transaction.commit()
  expect(await committed(kafka, `${groupId}__clk__alice`, topic)).toBe('5')
  expect(await committed(kafka, groupId, topic)).toBe('-1')
})

test('a developer’s process that may not join reaches no broker', () => {
  const kafka = kafkaWaybill(alice, client())
  const inspect = vi.spyOn(Object.getPrototypeOf(client()) as Kafka, 'consumer')
  onTestFinished(() => {
    inspect.mockRestore()
  })
  expect(() => kafka.consumer(aGroup())).toThrow(/group: 'own'.*\[ERR_WAYBILL_SHARED_GROUP\]/)
  expect(inspect).not.toHaveBeenCalled()
})
