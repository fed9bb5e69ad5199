import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Consumer, ConsumerRunConfig } from 'kafkajs'
import { expect, onTestFinished, test } from 'vitest'
import { fetchWaybill } from '@waybill/adapters/fetch'
import { kafkaWaybill, runWithMessage, type WaybillConsumerRunConfig } from '@waybill/adapters/kafkajs'
import { createKit, currentWaybill, tryCurrentWaybill, type Kit } from '@waybill/core'
import { recordEvents, withWaybill } from '@waybill/core/testing'
import { aTopic } from './a-topic.js'
import { client } from './client.js'
import { aGroup, consume, consumed } from './consume.js'

type RunConfig = WaybillConsumerRunConfig<Consumer>

const kitOf = (hosts: string[] = []): Kit =>
  createKit({ service: 'order', environment: 'test', baseline: true, services: { inventory: { hosts } } })
const kit = kitOf()

/** A topic with one message for each tag, all of them in one batch: they are sent before anybody reads. */
async function topicWith(...clks: (string | undefined)[]): Promise<string> {
  const topic = await aTopic(client())
  const producer = client().producer()
  await producer.connect()
  const messages = clks.map((clk, at) => ({
    value: String(at),
    ...(clk !== undefined && { headers: { baggage: `clk=${clk},waybill-depth=1` } }),
  }))
  await producer.send({ topic, messages })
  await producer.disconnect()
  return topic
}

/** Consumes until the handler has called `done`. */
async function until(
  by: Kit,
  topic: string,
  make: (done: () => void) => RunConfig,
  groupId?: string,
): Promise<void> {
  const consumer = kafkaWaybill(by, client()).consumer({
    ...aGroup(),
    ...(groupId !== undefined && { groupId }),
  })
  await new Promise<void>((resolve, reject) => {
    // kafkajs's own type of a handler asks for a promise of nothing.
    consume(consumer as Consumer, [topic], make(resolve) as ConsumerRunConfig).catch(reject)
  })
  await consumer.stop()
}

/** A service that answers with the clk of whoever calls it. */
async function anEcho(): Promise<{ url: string; own: Kit; clkSeen: () => Promise<string> }> {
  const server = createServer((req, res) => res.end(String(req.headers['clk'] ?? 'untagged'))).listen(
    0,
    '127.0.0.1',
  )
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const own = kitOf([url])
  const fetch = fetchWaybill(own)
  return { url, own, clkSeen: async () => (await fetch(url)).text() }
}

test('D2-14, OBS-2, context DataDog/dd-trace-js#5342, open-telemetry/opentelemetry-java-instrumentation#3529, spring-cloud-sleuth#1721 each message of a batch calls in its own waybill', async () => {
  const { own, clkSeen } = await anEcho()
  const topic = await topicWith('a', 'b', undefined)
  for (const way of ['forEachMessage', 'runWithMessage'] as const) {
    const seen: unknown[] = []
    await until(own, topic, (done) => ({
      eachBatch: async ({ batch, forEachMessage }) => {
        const call = async (): Promise<void> => {
          seen.push([currentWaybill().clk, await clkSeen()])
        }
        if (way === 'forEachMessage') await forEachMessage(call)
        else {
          for (const message of batch.messages) {
            await runWithMessage(own, { topic: batch.topic, message }, call)
          }
        }
        if (seen.length === 3) done()
      },
    }))
    expect(seen, way).toEqual([
      ['a', 'a'],
      ['b', 'b'],
      [undefined, 'untagged'],
    ])
  }
})

test('OBS-2, OBS-14 a bare loop over a batch runs in no scope; what it calls and sends is untagged and told as lost, with the remedy', async () => {
  const { own, clkSeen } = await anEcho()
  const [topic, to] = [await topicWith('a', 'b'), await aTopic(client())]
  const producer = kafkaWaybill(own, client()).producer()
  await producer.connect()
  onTestFinished(() => producer.disconnect())
  const events = recordEvents(['lost'])
  onTestFinished(() => {
    events.stop()
  })
  const seen: unknown[] = []
  await withWaybill({ clk: 'first' }, () =>
    until(own, topic, (done) => ({
      eachBatch: async ({ batch }) => {
        for (const { value } of batch.messages) {
          seen.push([String(value), tryCurrentWaybill(), await clkSeen()])
          await producer.send({ topic: to, messages: [{ value }] })
        }
        if (seen.length === 2) done()
      },
    })),
  )
  expect(seen).toEqual([
    ['0', undefined, 'untagged'],
    ['1', undefined, 'untagged'],
  ])
  const remedy: unknown = expect.stringContaining('forEachMessage')
  expect(events.of('lost')).toMatchObject([
    { kind: 'http', remedy },
    { kind: 'message', remedy, place: expect.stringContaining('kafkajs-batch.test.ts') },
  ])
  const received = await consumed(client().consumer(aGroup()), [to], 2)
  expect(received.map(({ message }) => String(message.headers?.['baggage']))).toEqual([
    'waybill-depth=1',
    'waybill-depth=1',
  ])
})

test('a batch that ends early goes on where it ended: what was resolved is committed, the rest is delivered again', async () => {
  const topic = await topicWith('a', 'b', 'c', 'd')
  const { groupId } = aGroup()
  const seen: string[] = []
  const eachOf =
    (last: string) =>
    (done: () => void): RunConfig => ({
      eachBatchAutoResolve: false,
      eachBatch: ({ forEachMessage, isRunning }) =>
        forEachMessage(
          async ({ value }) => {
            seen.push(`${String(value)} ${currentWaybill().clk}`)
            if (String(value) !== last) return
            done()
            // Until the consumer has been told to stop; then the loop ends before the next message.
            while (isRunning()) await new Promise((resolve) => setImmediate(resolve))
          },
          { resolve: true, heartbeat: true },
        ),
    })
  await until(kit, topic, eachOf('1'), groupId)
  expect(seen).toEqual(['0 a', '1 b'])
  await until(kit, topic, eachOf('3'), groupId)
  expect(seen).toEqual(['0 a', '1 b', '2 c', '3 d'])
})

test('routing 56 a batch whose handler fails is delivered again', async () => {
  const topic = await topicWith('a', 'b')
  const seen: string[] = []
  await until(kit, topic, (done) => ({
    eachBatch: ({ forEachMessage }) =>
      forEachMessage(({ value }) => {
        seen.push(`${String(value)} ${currentWaybill().clk}`)
        if (seen.length === 1) throw new Error('first time')
        if (String(value) === '1') done()
      }),
  }))
  expect(seen).toEqual(['0 a', '0 a', '1 b'])
})

test('partitions that are consumed concurrently keep their waybills apart', async () => {
  const kafka = client()
  const topic = await aTopic(kafka, 3)
  const producer = kafka.producer()
  await producer.connect()
  const messages = Array.from({ length: 90 }, (_, at) => ({
    value: `tag-${at % 9}`,
    partition: at % 3,
    headers: { baggage: `clk=tag-${at % 9},waybill-depth=1` },
  }))
  await producer.send({ topic, messages })
  await producer.disconnect()

  const mixed: unknown[] = []
  let handled = 0
  let running = 0
  let together = 0
  await until(kit, topic, (done) => ({
    partitionsConsumedConcurrently: 3,
    eachMessage: async ({ message }) => {
      together = Math.max(together, ++running)
      for (let turn = 0; turn < 3; turn++) {
        await new Promise((resolve) => setImmediate(resolve))
        if (currentWaybill().clk !== String(message.value))
          mixed.push([currentWaybill().clk, String(message.value)])
      }
      running--
      if (++handled === messages.length) done()
    },
  }))
  expect(mixed).toEqual([])
  expect(together).toBeGreaterThan(1)
})

test('D2-14 what a handler of a batch produces bears the waybill of its message', async () => {
  const [from, to] = [await topicWith('a', 'b'), await aTopic(client())]
  const producer = kafkaWaybill(kit, client()).producer()
  await producer.connect()
  onTestFinished(() => producer.disconnect())
  await until(kit, from, (done) => ({
    eachBatch: async ({ forEachMessage }) => {
      await forEachMessage(({ value }) => producer.send({ topic: to, messages: [{ value }] }))
      done()
    },
  }))
  const received = await consumed(client().consumer(aGroup()), [to], 2)
  expect(received.map(({ message }) => String(message.headers?.['baggage']))).toEqual([
    'clk=a,waybill-depth=2',
    'clk=b,waybill-depth=2',
  ])
})
