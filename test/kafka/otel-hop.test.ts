import type { EachMessagePayload } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { kafkaWaybill } from '@waybill/adapters/kafkajs'
import { createKit, currentWaybill } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import { alice, ALICE, ARRIVED, MEMBERS } from '../otel/alice.js'
import { kitService } from '../otel/kit-service.js'
import { startOtelOnly, type Consume, type OtelOnlyService } from '../otel/otel-only-service.js'
import { aTopic } from './a-topic.js'
import { client } from './client.js'
import { aGroup, consume } from './consume.js'
import { produce } from './produce.js'

const kafka = () => kafkaWaybill(createKit({ service: 'end', environment: 'test', baseline: true }), client())

let between: OtelOnlyService
beforeAll(async () => {
  between = await startOtelOnly({ KAFKA_BROKERS: inject('kafkaBrokers').join(',') })
})
afterAll(() => between.stop())

/** What a consumer of the kit adopts of the first message of a topic, and the headers of that message. */
const adoptedFrom = (topic: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const eachMessage = async ({ message }: EachMessagePayload): Promise<void> => {
      const { clk, shardKey, hopCount, depth } = currentWaybill()
      const headers = Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)])
      resolve({ clk, shardKey, hopCount, depth, headers: Object.fromEntries(headers) as unknown })
    }
    consume(kafka().consumer(aGroup()), [topic], { eachMessage }).catch(reject)
  })

/** A message of Alice's request goes through the service in between to a topic of its own. */
async function handedOn(how: Pick<Consume, 'by' | 'headers'>): Promise<unknown> {
  const [from, to] = [await aTopic(client()), await aTopic(client())]
  await between.consume({ from, to, ...how })
  await withWaybill(ALICE, () => produce(kafka(), { topic: from, messages: [{ value: 'placed' }] }))
  return adoptedFrom(to)
}

const traceparent = expect.any(String) as string

describe('kit, OpenTelemetry only, kit, over Kafka', () => {
  test('from eachMessage, clk, key, hop count and depth arrive', async () => {
    expect(await handedOn({ by: 'eachMessage' })).toEqual({
      ...ARRIVED,
      headers: { baggage: MEMBERS, traceparent },
    })
  })

  test('context OBS-2 from eachBatch nothing arrives: its instrumentation takes no baggage out of messages', async () => {
    expect(await handedOn({ by: 'eachBatch' })).toEqual({
      clk: undefined,
      shardKey: undefined,
      hopCount: 0,
      depth: 0,
      headers: { traceparent },
    })
  })

  test('from eachBatch all arrives where the service hands the headers of the message on', async () => {
    expect(await handedOn({ by: 'eachBatch', headers: 'kept' })).toEqual({
      ...ARRIVED,
      headers: { baggage: MEMBERS, traceparent },
    })
  })

  test('a message that it sends in a request bears what the request bore', async () => {
    const topic = await aTopic(client())
    expect(await alice(between.produce(topic))).toMatchObject({ status: 200 })
    expect(await adoptedFrom(topic)).toEqual({ ...ARRIVED, headers: { baggage: MEMBERS, traceparent } })
  })

  test('a call that it makes for a message bears what the message bore', async () => {
    const from = await aTopic(client())
    const { origin, first } = await kitService()
    await between.consume({ from, to: origin, by: 'eachMessage' })
    await withWaybill(ALICE, () => produce(kafka(), { topic: from, messages: [{ value: 'placed' }] }))
    expect(await first).toMatchObject(ARRIVED)
  })
})
