import assert from 'node:assert/strict'
import { recordEvents } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import type { ConsumingHalf } from '../../message-record.js'
import type { HeaderValue } from '../../message/plain-broker.js'
import { withConsuming } from '../../stage/consuming-stage.js'
import { droppedBy, type DropReason } from '../../stage/dropped.js'
import { factsHere, type FactsHere } from '../../stage/facts-here.js'
import { hostileHeaders } from '../hostile-headers.js'

interface Hostile {
  readonly title: string
  readonly headers: Readonly<Record<string, HeaderValue>>
  readonly dropped: Partial<Record<DropReason, number>>
  readonly read: FactsHere
}

/** What only records can bear. */
const HOSTILE_RECORDS: readonly Hostile[] = [
  {
    title: 'nulls',
    headers: { clk: null, baggage: null, 'x-shard-key': null, mine: null },
    dropped: { INVALID: 3 },
    read: {},
  },
  {
    title: 'names that differ in case alone',
    headers: { Clk: 'alice', clk: 'bob' },
    dropped: { AMBIGUOUS_CLK: 1 },
    read: {},
  },
  {
    title: 'bytes that are no text',
    headers: { clk: Buffer.from([0xff, 0xfe, 0x00]), baggage: Buffer.from([0xc3, 0x28, 0x2c, 0x3d]) },
    dropped: { INVALID_CLK: 1 },
    read: {},
  },
  {
    title: 'a header of 100 kB',
    headers: { mine: 'x'.repeat(100_000), clk: Buffer.alloc(100_000, 'a') },
    dropped: { INVALID_CLK: 1 },
    read: {},
  },
]

/** Lines of one name are values of one header. */
const asRecords = (): readonly Hostile[] =>
  hostileHeaders.map(({ headers, ...hostile }) => {
    const names = [...new Set(headers.map(([name]) => name))]
    const values = (name: string): string[] =>
      headers.flatMap(([own, value]) => (own === name ? [value] : []))
    const grouped = names.map((name) => {
      const all = values(name)
      return [name, all.length > 1 ? all : (all[0] ?? '')] as const
    })
    return { ...hostile, headers: Object.fromEntries(grouped) }
  })

export const hostileInput: Law<'hostile-input', ConsumingHalf> = {
  name: 'hostile-input',
  title:
    'malformed, oversized, duplicated and hostile headers are dropped and told, and the message is handled',
  async holds(half) {
    let seen: FactsHere | undefined
    const handler = (): void => {
      seen = factsHere()
    }
    const events = recordEvents(['dropped'])
    try {
      await withConsuming(half, { handler }, async ({ kit, deliver }) => {
        for (const { title, headers, dropped, read } of [...asRecords(), ...HOSTILE_RECORDS]) {
          const before = droppedBy(kit)
          events.clear()
          await deliver([{ key: 'a', value: title, headers }])
          assert.deepEqual(seen, read, title)
          assert.deepEqual(droppedBy(kit, before), dropped, title)
          assert.deepEqual(
            [...new Set(events.of('dropped').map(({ reason }) => reason))],
            Object.keys(dropped),
            `${title}: told by an event`,
          )
        }
      })
      await withConsuming(half, { handler, strange: true }, async ({ kit, deliver }) => {
        const headers = { clk: 'mallory', 'x-shard-key': '1', baggage: '%63lk=mallory' }
        await deliver([{ key: 'a', value: 'one', headers }])
        assert.deepEqual(seen, {})
        assert.deepEqual(droppedBy(kit), { UNTRUSTED: 2 }, 'what a strange topic says is counted')
      })
    } finally {
      events.stop()
    }
    assert.deepEqual(Object.keys(Object.prototype), [], 'Object.prototype has nothing from outside')
  },
}
