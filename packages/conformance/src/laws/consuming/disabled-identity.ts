import assert from 'node:assert/strict'
import { recordEvents } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import type { ConsumingHalf } from '../../message-record.js'
import { storedMessage, type ClientMessage } from '../../message/stored-message.js'
import { withConsuming } from '../../stage/consuming-stage.js'
import { clkHere } from '../../stage/facts-here.js'

const MESSAGES = [
  { key: 'a', value: 'alice', headers: { baggage: 'clk=alice' } },
  { key: 'a', value: 'invalid', headers: { clk: 'not valid!', several: ['1', '2'] } },
  { key: 'a', value: null },
]

export const disabledIdentity: Law<'disabled-identity', ConsumingHalf> = {
  name: 'disabled-identity',
  title: 'disabled, the adapter is the identity',
  async holds(half) {
    let seen: unknown[] = []
    const handler = (value: string, message: ClientMessage): void => {
      seen.push([value, storedMessage(message).rawHeaders, Object.keys(message), clkHere()])
    }
    await withConsuming(half, { handler, bare: true }, ({ deliver }) => deliver(MESSAGES))
    const bare = seen
    for (const when of ['from the start', 'later']) {
      const kit = { disabled: when === 'from the start' }
      await withConsuming(half, { handler, kit }, async (stage) => {
        if (when === 'later') {
          await stage.deliver(MESSAGES)
          stage.kit.disable()
        }
        seen = []
        const events = recordEvents(['adopted', 'dropped'])
        try {
          await stage.deliver(MESSAGES)
          assert.deepEqual(seen, bare, `disabled ${when}: as the bare host`)
          assert.deepEqual(events.all, [], 'nothing is adopted')
        } finally {
          events.stop()
        }
      })
    }
  },
}
