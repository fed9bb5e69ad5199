import type { Consumer, ConsumerRunConfig } from 'kafkajs'
import { startBroker } from '@waybill/servers/kafka'
import { expect, onTestFinished, test, vi } from 'vitest'
import { kafkaWaybill, type WaybillConsumerRunConfig } from '@waybill/adapters/kafkajs'
import { createKit, currentWaybill } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import { aTopic } from './a-topic.js'
import { client } from './client.js'
import { aGroup, consume } from './consume.js'

const kit = createKit({ service: 'order', environment: 'test', baseline: true })

test('D2-14 over a broker that crashes under load no message is lost, and none runs under another’s waybill', async () => {
  const broker = await startBroker()
  onTestFinished(() => broker.stop())
  const kafka = kafkaWaybill(kit, client(broker.brokers))
  const topic = await aTopic(client(broker.brokers), 3)

  const handled = new Set<string>()
  const wrong: unknown[] = []
  await consume(kafka.consumer({ ...aGroup(), sessionTimeout: 2000 }), [topic], {
    partitionsConsumedConcurrently: 3,
    eachBatchAutoResolve: false,
    eachBatch: ({ forEachMessage }) =>
      forEachMessage(
        async ({ value }) => {
          await Promise.resolve()
          const id = String(value)
          if (currentWaybill().clk !== `tag-${id}`) wrong.push([currentWaybill().clk, id])
          handled.add(id)
        },
        { resolve: true, heartbeat: true },
      ),
  } satisfies WaybillConsumerRunConfig<Consumer> as ConsumerRunConfig)

  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 })
  await producer.connect()
  onTestFinished(() => producer.disconnect())
  const acknowledged: string[] = []
  let sending = true
  const load = (async () => {
    for (let at = 0; sending; at++) {
      const id = String(at)
      await withWaybill({ clk: `tag-${id}` }, () =>
        producer.send({ topic, messages: [{ key: id, value: id }] }),
      )
      acknowledged.push(id)
    }
  })()

  const soon = { timeout: 30_000 }
  await vi.waitUntil(() => handled.size >= 50, soon)
  await broker.crash()
  await broker.restart()
  const before = handled.size
  await vi.waitUntil(() => handled.size >= before + 50, soon)
  sending = false
  await load
  await vi.waitUntil(() => acknowledged.every((id) => handled.has(id)), soon)
  expect(wrong).toEqual([])
})
