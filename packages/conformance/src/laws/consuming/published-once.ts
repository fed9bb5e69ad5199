import assert from 'node:assert/strict'
import { subscribe } from '@waybill/core'
import { recordEvents } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import type { ConsumingHalf } from '../../message-record.js'
import { withConsuming } from '../../stage/consuming-stage.js'
import { clkHere } from '../../stage/facts-here.js'
import { catchUncaught } from '../../stage/uncaught.js'

const MESSAGES = [
  { key: 'a', value: 'alice', headers: { baggage: 'clk=alice,waybill-depth=2' } },
  { key: 'a', value: null, headers: { clk: 'alice' } },
  { key: 'a', value: 'untagged' },
]
/** Source and tag by message. */
const ADOPTED = [
  ['alice', 2],
  ['alice', 0],
  [undefined, 0],
]

export const publishedOnce: Law<'published-once', ConsumingHalf> = {
  name: 'published-once',
  title: 'each message is adopted, counted and published once, and no subscriber changes it',
  async holds(half) {
    const seen: (string | undefined)[] = []
    const handler = (): void => void seen.push(clkHere())
    await withConsuming(half, { handler }, async ({ kit, deliver }) => {
      const events = recordEvents(['adopted'])
      try {
        await deliver(MESSAGES)
        const adopted = events.of('adopted')
        assert.deepEqual(
          adopted.map(({ clk, depth }) => [clk, depth]),
          ADOPTED,
        )
        for (const { kind, inbound } of adopted) assert.deepEqual([kind, inbound], ['message', 'peer'])
        assert.equal(kit.counters.adopted, MESSAGES.length)
      } finally {
        events.stop()
      }
      const caught = await catchUncaught(async () => {
        const stop = subscribe('adopted', () => {
          throw new Error('a subscriber')
        })
        await deliver(MESSAGES.slice(0, 1)).finally(stop)
      })
      assert.equal(caught.length, 1, 'a subscriber’s error is the process’s')
      assert.deepEqual(seen, ['alice', 'alice', undefined, 'alice'])
    })
  },
}
