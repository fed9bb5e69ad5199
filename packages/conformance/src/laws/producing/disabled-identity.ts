import assert from 'node:assert/strict'
import type { Interceptor } from '@waybill/core/adapter'
import { recordEvents, withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import type { ProducingHalf } from '../../message-record.js'
import { withProducing, type ProducingStage } from '../../stage/producing-stage.js'

const MESSAGES = [
  { key: 'a', value: 'one' },
  { key: 'a', value: null, headers: { mine: '1', clk: 'mine', baggage: 'vendor=1,clk=mine' } },
]

/** The records of a few sends, as they lie in the topic behind the first `before`. */
async function traffic({ send, read }: ProducingStage, before: number): Promise<unknown> {
  await send(MESSAGES)
  await withWaybill({ clk: 'alice' }, () => send(MESSAGES))
  const stored = await read(before + 2 * MESSAGES.length)
  return stored.slice(before).map(({ key, value, rawHeaders }) => ({ key, value, rawHeaders }))
}

export const disabledIdentity: Law<'disabled-identity', ProducingHalf> = {
  name: 'disabled-identity',
  title: 'disabled, the adapter is the identity',
  async holds(half) {
    let bare: unknown
    await withProducing(half, { bare: true }, async (stage) => {
      bare = await traffic(stage, 0)
    })
    for (const when of ['from the start', 'later']) {
      let intercepted = 0
      const counting: Interceptor = (next) => (call) => {
        intercepted++
        return next(call)
      }
      const kit = { disabled: when === 'from the start', interceptors: [counting] }
      await withProducing(half, { kit }, async (stage) => {
        if (when === 'later') {
          await stage.send(MESSAGES)
          stage.kit.disable()
        }
        intercepted = 0
        const events = recordEvents(['injected', 'settled', 'refused', 'dropped', 'conflict', 'lost'])
        try {
          const seen = await traffic(stage, when === 'later' ? MESSAGES.length : 0)
          assert.deepEqual(seen, bare, `disabled ${when}: the records of the bare host`)
          assert.deepEqual({ intercepted, events: events.all }, { intercepted: 0, events: [] })
        } finally {
          events.stop()
        }
      })
    }
  },
}
