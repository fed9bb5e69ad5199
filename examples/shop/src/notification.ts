/** Writes to the customer about her order. Consumes orders in batches, and writes in a pool of worker threads. */
import express from 'express'
import { Piscina } from 'piscina'
import { expressWaybill } from '@waybill/adapters/express'
import { kafkaWaybill, type ConsumerGroupChoice } from '@waybill/adapters/kafkajs'
import { piscinaWaybill } from '@waybill/adapters/workers'
import { createKit, currentWaybill, subscribe } from '@waybill/core'
import { route } from '@waybill/routing'
import { listening } from './listening.js'
import type { Notice } from './notice.js'
import type { Letter } from './notification-worker.js'
import { openKafka, ORDERS, type PlacedOrder } from './orders.js'

// The kit writes nothing to the console; which group a developer's process joins is told by this event.
subscribe('audit', ({ action, facts }) => {
  console.log(`${action}: ${JSON.stringify(facts)}`)
})

const kit = createKit({ service: 'notification', interceptors: [route()] })
const pool = piscinaWaybill(
  kit,
  new Piscina<PlacedOrder, Letter>({
    filename: new URL('notification-worker.js', import.meta.url).href,
    minThreads: 2,
    maxThreads: 2,
    // An idle thread would block its loop otherwise, and with it the connections that it keeps.
    atomics: 'disabled',
  }),
)

const kafka = openKafka('notification')
if (kafka === undefined) throw new Error('notification consumes from Kafka: set KAFKA_BROKERS=host:port')

const group = process.env['CONSUMER_GROUP'] as ConsumerGroupChoice | undefined
const consumer = kafkaWaybill(kit, kafka).consumer({
  groupId: `${ORDERS}.notification`,
  // Elsewhere a literal, which stays in the code. Here a variable, to show what a laptop is told without it.
  ...(group && { group }),
  maxWaitTimeInMs: 250,
})
const fetching = new Promise<void>((resolve) => {
  consumer.on(consumer.events.FETCH, () => {
    resolve()
  })
})

const notices: Notice[] = []

await consumer.connect()
await consumer.subscribe({ topic: ORDERS })
await consumer.run({
  partitionsConsumedConcurrently: 4,
  // forEachMessage resolves what was handled; the rest of a batch that it leaves early is to come again.
  eachBatchAutoResolve: false,
  eachBatch: async ({ batch, forEachMessage }) => {
    await forEachMessage(
      async ({ value, headers, offset }) => {
        const order = JSON.parse(String(value)) as PlacedOrder
        const letter = await pool.run(order)
        notices.push({
          item: order.item,
          message: `${batch.topic}[${String(batch.partition)}]@${offset}`,
          baggage: String(headers?.['baggage']),
          batchSize: batch.messages.length,
          clk: currentWaybill().clk ?? null,
          letter,
        })
      },
      { resolve: true, heartbeat: true },
    )
  },
})
// What is sent to a new group before its first fetch would be passed over.
await fetching

const app = express()
app.use(expressWaybill(kit))
app.get('/notices', (req, res) => {
  res.json({ notices: notices.slice(Number(req.query['from'] ?? 0)) })
})

const server = app.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1')
await listening('notification', server, kit.facts)

process.once('SIGTERM', () => {
  void consumer.disconnect().finally(() => process.exit(0))
})
