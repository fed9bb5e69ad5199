import assert from 'node:assert/strict'
import type { Law } from '../../law.js'
import type { ConsumingHalf } from '../../message-record.js'
import type { PlainMessage } from '../../message/plain-broker.js'
import { storedMessage } from '../../message/stored-message.js'
import { withConsuming } from '../../stage/consuming-stage.js'

const KEYS = 5

const WAITING: readonly PlainMessage[] = Array.from({ length: 40 }, (_, turn) => ({
  key: `key-${String(turn % KEYS)}`,
  value: turn % 8 === 7 ? null : String(turn),
  headers: {
    'X-Turn': String(turn),
    Clk: 'alice',
    several: ['one', Buffer.from([0xff, 0x00]), 'three'],
    empty: '',
    baggage: 'vendor=a;p=1, other=b%20c,clk=alice',
  },
}))

export const ownHeaders: Law<'own-headers', ConsumingHalf> = {
  name: 'own-headers',
  title: 'the application finds keys, their order, tombstones and every header as they came',
  async holds(half) {
    const seen: unknown[] = []
    for (const bare of [true, false]) {
      const handled: Record<string, unknown[]> = {}
      const handler = (_value: string, message: Parameters<typeof storedMessage>[0]): void => {
        const { key, value, rawHeaders } = storedMessage(message)
        const whole = [value, rawHeaders, Object.keys(message), Buffer.isBuffer(message.headers?.['X-Turn'])]
        ;(handled[key ?? ''] ??= []).push(whole)
      }
      await withConsuming(half, { waiting: WAITING, bare, handler }, ({ deliver }) => deliver([]))
      seen.push(handled)
    }
    assert.deepEqual(seen[1], seen[0], 'the messages are those of the bare host')
  },
}
