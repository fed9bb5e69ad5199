import { expect, onTestFinished, test } from 'vitest'
import { kafkaWaybill } from '@waybill/adapters/kafkajs'
import { createKit, currentWaybill } from '@waybill/core'
import { recordEvents } from '@waybill/core/testing'
import { aTopic } from './a-topic.js'
import { client } from './client.js'
import { aGroup, consume } from './consume.js'

const kit = createKit({ service: 'order', environment: 'test', baseline: true })

const HOSTILE: Record<string, string | Buffer | string[]>[] = [
  { baggage: '' },
  { baggage: 'clk' },
  { baggage: 'clk=,,;=%' },
  { baggage: Buffer.from([0x63, 0x6c, 0x6b, 0x3d, 0xc3, 0x28]) },
  { baggage: `${'a=1,'.repeat(50_000)}clk=me` },
  { baggage: ['clk=a', 'clk=b'] },
  { clk: 'a', CLK: 'b', Clk: 'c' },
  { '': 'clk=me', ['__proto__']: 'clk=me', constructor: 'clk=me' },
  { 'x-shard-key': '%ff', baggage: 'shard-key=%E0%A4%A,waybill-depth=-1' },
]

test('S2-4 whatever stands in its headers, a message is handled, untagged where the tag cannot be believed, and the next one as ever', async () => {
  const events = recordEvents(['dropped'])
  onTestFinished(() => {
    events.stop()
  })
  const topic = await aTopic(client())
  const producer = client().producer()
  await producer.connect()
  await producer.send({
    topic,
    messages: [...HOSTILE, { baggage: 'clk=me' }].map((headers) => ({ value: '', headers })),
  })
  await producer.disconnect()

  const seen: unknown[] = []
  await new Promise<void>((resolve, reject) => {
    consume(kafkaWaybill(kit, client()).consumer(aGroup()), [topic], {
      eachMessage: async () => {
        const { clk, shardKey, depth } = currentWaybill()
        seen.push([clk, shardKey, depth])
        if (seen.length > HOSTILE.length) resolve()
      },
    }).catch(reject)
  })
  expect(seen).toEqual([...HOSTILE.map(() => [undefined, undefined, 0]), ['me', undefined, 0]])
  const reasons = new Set(events.of('dropped').map(({ reason }) => reason))
  expect([...reasons].sort()).toEqual(['AMBIGUOUS_CLK', 'INVALID', 'INVALID_CLK', 'OVER_LIMIT'])
})
