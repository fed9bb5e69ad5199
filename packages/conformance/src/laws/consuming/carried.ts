import assert from 'node:assert/strict'
import { currentWaybill, type KitOptions } from '@waybill/core'
import type { Law } from '../../law.js'
import type { ConsumingHalf } from '../../message-record.js'
import type { HeaderValue, PlainMessage } from '../../message/plain-broker.js'
import { withConsuming } from '../../stage/consuming-stage.js'
import { factsHere, type FactsHere } from '../../stage/facts-here.js'

type Headers = Readonly<Record<string, HeaderValue>>

/** What lies in a topic, and what the application is to read. */
interface Arriving {
  readonly title: string
  readonly headers?: Headers
  readonly tombstone?: boolean
  readonly read: FactsHere
}

/** The same messages at a process that is set up in some way. */
interface Setting {
  readonly kit?: KitOptions
  readonly strange?: boolean
  readonly arriving: readonly Arriving[]
}

const BAGGAGE = 'clk=alice,shard-key=%E6%B3%B3%E9%81%93,hop-count=1,target-unit=sz,waybill-depth=2'
const DEDICATED: Headers = {
  clk: 'alice',
  'x-shard-key': '%E6%B3%B3%E9%81%93',
  'x-hop-count': '1',
  'x-target-unit': 'sz',
}
const READ: FactsHere = { clk: 'alice', shardKey: '泳道', hopCount: 1, depth: 2 }

const SETTINGS: readonly Setting[] = [
  {
    arriving: [
      { title: 'baggage alone: all but the target unit', headers: { baggage: BAGGAGE }, read: READ },
      { title: 'bytes', headers: { baggage: Buffer.from(BAGGAGE) }, read: READ },
      { title: 'a tombstone', headers: { baggage: BAGGAGE }, tombstone: true, read: READ },
      {
        title: 'dedicated headers',
        headers: DEDICATED,
        read: { clk: 'alice', shardKey: '泳道', hopCount: 1 },
      },
      { title: 'both', headers: { ...DEDICATED, baggage: BAGGAGE }, read: READ },
      {
        title: 'names as Java writes them',
        headers: { Clk: 'Alice', 'X-Shard-Key': '7', BAGGAGE: 'waybill-depth=1' },
        read: { clk: 'alice', shardKey: '7', depth: 1 },
      },
      {
        title: 'two lines of baggage, read as one list',
        headers: { baggage: ['vendor=1,clk=alice', Buffer.from('waybill-depth=4')] },
        read: { clk: 'alice', depth: 4 },
      },
      { title: 'headers of others', headers: { mine: '1' }, read: {} },
      { title: 'no headers: in a waybill of its own', read: {} },
    ],
  },
  {
    strange: true,
    arriving: [
      { title: 'of a topic that is not believed', headers: { ...DEDICATED, baggage: BAGGAGE }, read: {} },
    ],
  },
  {
    kit: { clks: 'me' },
    arriving: [
      { title: 'an untagged message at a process with a clk', headers: { mine: '1' }, read: {} },
      { title: 'a message of its tag', headers: { baggage: 'clk=me' }, read: { clk: 'me' } },
    ],
  },
  {
    kit: { environment: 'production', trust: { inbound: 'peer', peers: ['127.0.0.1'] } },
    arriving: [
      {
        title: 'in production, all but the clk',
        headers: { baggage: BAGGAGE },
        read: { shardKey: '泳道', hopCount: 1, depth: 2 },
      },
    ],
  },
]

export const carried: Law<'carried', ConsumingHalf> = {
  name: 'carried',
  title: 'each message runs in its sender’s waybill, as far as its topic is believed',
  async holds(half) {
    for (const { arriving, ...setting } of SETTINGS) {
      const seen = new Map<string, FactsHere | undefined>()
      const handler = (value: string): void => void seen.set(value, factsHere())
      await withConsuming(half, { ...setting, handler }, async ({ deliver }) => {
        await deliver(arriving.map(message))
      })
      for (const { title, tombstone, read } of arriving) {
        assert.deepEqual(seen.get(tombstone === true ? 'tombstone' : title), read, title)
      }
    }
    await declaredFields(half)
  },
}

function message({ title, headers, tombstone }: Arriving): PlainMessage {
  return {
    key: 'a',
    value: tombstone === true ? null : title,
    ...(headers === undefined ? {} : { headers }),
  }
}

async function declaredFields(half: ConsumingHalf): Promise<void> {
  const fields = { lawTenant: { baggage: 'law-tenant' }, lawNote: {} }
  let seen: unknown
  const handler = (): void => {
    seen = [currentWaybill().field('lawTenant'), currentWaybill().field('lawNote')]
  }
  await withConsuming(half, { kit: { fields }, handler }, async ({ deliver }) => {
    const baggage = 'law-tenant=acme,lawNote=secret,law-note=secret'
    await deliver([{ key: 'a', value: 'one', headers: { baggage } }])
  })
  assert.deepEqual(seen, ['acme', undefined], 'a declared field travels, a local one does not')
}
