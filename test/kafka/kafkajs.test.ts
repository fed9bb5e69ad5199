import { createServer, type IncomingHttpHeaders } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { EachMessagePayload, IHeaders, Kafka, Message } from 'kafkajs'
import { expect, onTestFinished, test } from 'vitest'
import { fetchWaybill } from '@waybill/adapters/fetch'
import { kafkaWaybill } from '@waybill/adapters/kafkajs'
import { createKit, currentWaybill, tryCurrentWaybill, type Kit, type KitOptions } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import { aTopic } from './a-topic.js'
import { client } from './client.js'
import { aGroup, consume, consumed } from './consume.js'

const kitOf = (options: KitOptions = {}): Kit =>
  createKit({ service: 'order', environment: 'test', baseline: true, ...options })
const kit = kitOf()

/** Sends messages through the kit, in the scope in which it is called. */
async function send(
  topic: string,
  messages: Message[],
  by: Kafka = kafkaWaybill(kit, client()),
): Promise<void> {
  const producer = by.producer()
  await producer.connect()
  try {
    await producer.send({ topic, messages })
  } finally {
    await producer.disconnect()
  }
}

/** What arrives of messages that were sent in the scope of alice's request. */
async function arrived(messages: Message[], by?: Kafka): Promise<EachMessagePayload[]> {
  const kafka = client()
  const topic = await aTopic(kafka)
  await withWaybill({ clk: 'alice', shardKey: '泳道', depth: 2 }, () => send(topic, messages, by))
  return consumed(kafka.consumer(aGroup()), [topic], messages.length)
}

const textOf = (headers: IHeaders | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]))

test('S0-4, S2-4, D2-14, context spring-attic/spring-cloud-sleuth#1678 key and tag go from a request over a message to the next call', async () => {
  const calls: IncomingHttpHeaders[] = []
  const server = createServer((req, res) => {
    calls.push(req.headers)
    res.end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const own = kitOf({ services: { inventory: { hosts: [url] } } })
  const fetch = fetchWaybill(own)

  const kafka = kafkaWaybill(own, client())
  const topic = await aTopic(client())
  const handled = new Promise<unknown>((resolve, reject) => {
    const eachMessage = async (): Promise<void> => {
      await fetch(url).catch(reject)
      const { clk, shardKey, depth } = currentWaybill()
      resolve({ clk, shardKey, depth })
    }
    consume(kafka.consumer(aGroup()), [topic], { eachMessage }).catch(reject)
  })
  await withWaybill({ clk: 'alice', shardKey: '泳道', depth: 2 }, () => send(topic, [{ value: '1' }], kafka))

  expect(await handled).toEqual({ clk: 'alice', shardKey: '泳道', depth: 3 })
  expect(calls).toMatchObject([
    {
      clk: 'alice',
      'x-shard-key': '%E6%B3%B3%E9%81%93',
      baggage: 'clk=alice,shard-key=%E6%B3%B3%E9%81%93,waybill-depth=4',
    },
  ])
})

test('context tulios/kafkajs#1024, #1121 what she put into a message arrives as she put it, as Buffers, her lists as lists', async () => {
  const headers = { list: ['x', 'y'], one: Buffer.from([0, 255]), Baggage: 'a=é' }
  const [received] = await arrived([{ key: 'k', value: 'v', headers, timestamp: '1700000000000' }])
  expect(received?.message).toMatchObject({
    key: Buffer.from('k'),
    value: Buffer.from('v'),
    timestamp: '1700000000000',
  })
  expect(received?.message.headers).toEqual({
    baggage: Buffer.from('clk=alice,shard-key=%E6%B3%B3%E9%81%93,waybill-depth=3,a=é'),
    list: [Buffer.from('x'), Buffer.from('y')],
    one: Buffer.from([0, 255]),
  })
})

test('context elastic/apm-agent-nodejs#3980, DataDog/dd-trace-java#1621 a tombstone stays null, bears the header, and is handled', async () => {
  const topic = await aTopic(client())
  const seen = new Promise((resolve, reject) => {
    const eachMessage = async ({ message }: EachMessagePayload): Promise<void> => {
      resolve([message.value, textOf(message.headers), currentWaybill().clk])
    }
    consume(kafkaWaybill(kit, client()).consumer(aGroup()), [topic], { eachMessage }).catch(reject)
  })
  await withWaybill({ clk: 'me' }, () => send(topic, [{ key: 'k', value: null }]))
  expect(await seen).toEqual([null, { baggage: 'clk=me,waybill-depth=1' }, 'me'])
})

test.each([
  ['context tulios/kafkajs#1500 undefined', undefined],
  ['context tulios/kafkajs PR#1786 null', null],
  ['a number', 5],
  ['a boolean', true],
])('a header value that kafkajs refuses is its own error: %s', async (_, value) => {
  const topic = await aTopic(client())
  const message = { value: '1', headers: { a: value, b: 'x' } } as never
  const errorOf = (by: Kafka): Promise<unknown> => send(topic, [message], by).catch((error: unknown) => error)
  const bare = (await errorOf(client())) as Error
  expect(bare).toBeInstanceOf(TypeError)
  const wrapped = await errorOf(kafkaWaybill(kit, client()))
  expect(wrapped).toBeInstanceOf(TypeError)
  expect((wrapped as Error).message).toBe(bare.message)
  expect(message).toEqual({ value: '1', headers: { a: value, b: 'x' } })
})

test('a topic that is not believed gets no header', async () => {
  const own = kitOf({ trust: { topics: ['orders.*'] } })
  const [received] = await arrived([{ value: '1', headers: { a: '1' } }], kafkaWaybill(own, client()))
  expect(textOf(received?.message.headers)).toEqual({ a: '1' })
})

test('a message goes to the partition to which kafkajs sends its key, and keys keep their order', async () => {
  const kafka = client()
  const messages = Array.from({ length: 60 }, (_, at) => ({ key: `key-${at % 7}`, value: String(at) }))
  const topics = [await aTopic(kafka, 5), await aTopic(kafka, 5)] as const
  await send(topics[0], messages, kafka)
  await withWaybill({ clk: 'me' }, () => send(topics[1], messages))
  const byPartition = async (topic: string): Promise<Map<number, string[]>> => {
    const found = new Map<number, string[]>()
    for (const { partition, message } of await consumed(kafka.consumer(aGroup()), [topic], messages.length)) {
      found.set(partition, [...(found.get(partition) ?? []), String(message.value)])
    }
    return found
  }
  const [bare, wrapped] = [await byPartition(topics[0]), await byPartition(topics[1])]
  expect(wrapped).toEqual(bare)
  expect(bare.size).toBeGreaterThan(1)
})

test('Papooch/nestjs-cls#127, OBS-14 a consumer that was run in a request handles each message in the message’s waybill', async () => {
  const topic = await aTopic(client())
  const seen: unknown[] = []
  const events: unknown[] = []
  const handled = new Promise<void>((resolve, reject) => {
    withWaybill({ clk: 'first', shardKey: '1' }, async () => {
      const consumer = kafkaWaybill(kit, client()).consumer(aGroup())
      consumer.on(consumer.events.START_BATCH_PROCESS, () => void events.push(tryCurrentWaybill()))
      consumer.on(consumer.events.GROUP_JOIN, () => void events.push(tryCurrentWaybill()))
      await consume(consumer, [topic], {
        eachMessage: async () => {
          await Promise.resolve()
          const { clk, shardKey } = currentWaybill()
          if (seen.push([clk, shardKey]) === 3) resolve()
        },
      })
    }).catch(reject)
  })
  for (const clk of ['a', 'b']) await withWaybill({ clk }, () => send(topic, [{ value: '1' }]))
  await send(topic, [{ value: '1' }], client())
  await handled
  expect(seen).toEqual([
    ['a', undefined],
    ['b', undefined],
    [undefined, undefined],
  ])
  expect(events.length).toBeGreaterThan(1)
  expect(new Set(events)).toEqual(new Set([undefined]))
})

test('a message that goes round a retry topic twenty times keeps its headers and their length', async () => {
  const kafka = kafkaWaybill(kit, client())
  const topic = await aTopic(client())
  const producer = kafka.producer()
  await producer.connect()
  onTestFinished(() => producer.disconnect())
  const rounds: unknown[] = []
  const done = new Promise<void>((resolve, reject) => {
    const eachMessage = async ({ message }: EachMessagePayload): Promise<void> => {
      rounds.push([textOf(message.headers), currentWaybill().depth])
      if (rounds.length > 20) resolve()
      else await producer.send({ topic, messages: [{ value: message.value, headers: message.headers! }] })
    }
    consume(kafka.consumer(aGroup()), [topic], { eachMessage }).catch(reject)
  })
  await withWaybill({ clk: 'me', shardKey: '7' }, () =>
    send(topic, [{ value: '1', headers: { baggage: 'a=1', reason: 'busy' } }]),
  )
  await done
  expect(new Set(rounds.map((round) => JSON.stringify(round)))).toEqual(
    new Set([JSON.stringify([{ baggage: 'clk=me,shard-key=7,waybill-depth=1,a=1', reason: 'busy' }, 1])]),
  )
})

test('a transaction carries what it sends, on every topic of it, and commits, aborts and sends offsets as ever', async () => {
  const kafka = client()
  const [first, second] = [await aTopic(kafka), await aTopic(kafka)]
  const { groupId } = aGroup()
  const producer = kafkaWaybill(kit, kafka).producer({
    idempotent: true,
    maxInFlightRequests: 1,
    transactionalId: `transaction-${groupId}`,
  })
  await producer.connect()
  onTestFinished(() => producer.disconnect())
  const batch = (value: string) => ({
    topicMessages: [first, second].map((topic) => ({ topic, messages: [{ value }] })),
  })
  await withWaybill({ clk: 'me' }, async () => {
    const aborted = await producer.transaction()
    await aborted.sendBatch(batch('aborted'))
    await aborted.abort()
    const committed = await producer.transaction()
    await committed.send({ topic: first, messages: [{ value: 'sent' }] })
    await committed.sendBatch(batch('in a batch'))
    await committed.sendOffsets({
      consumerGroupId: groupId,
      topics: [{ topic: first, partitions: [{ partition: 0, offset: '5' }] }],
    })
    await committed.commit()
    expect(committed.isActive()).toBe(false)
  })
  const received = await consumed(kafka.consumer(aGroup()), [first, second], 3)
  expect(received.map(({ message }) => String(message.value)).sort()).toEqual([
    'in a batch',
    'in a batch',
    'sent',
  ])
  for (const { message } of received) {
    expect(textOf(message.headers)).toEqual({ baggage: 'clk=me,waybill-depth=1' })
  }
  const admin = kafka.admin()
  await admin.connect()
  onTestFinished(() => admin.disconnect())
  expect(await admin.fetchOffsets({ groupId, topics: [first] })).toMatchObject([
    { partitions: [{ partition: 0, offset: '5' }] },
  ])
})
