import assert from 'node:assert/strict'
import type { Call, Interceptor } from '@waybill/core/adapter'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import type { ProducingHalf } from '../../message-record.js'
import { withProducing } from '../../stage/producing-stage.js'

const ONE = [{ key: 'a', value: 'one' }]

export const faithfulCall: Law<'faithful-call', ProducingHalf> = {
  name: 'faithful-call',
  title: 'interceptors see a send once, with its topic, and the sender gets what its client gives',
  async holds(half) {
    let bare: unknown
    await withProducing(half, { bare: true }, async ({ send }) => {
      bare = shapeOf(await send(ONE))
    })
    const seen: Call[] = []
    const looking: Interceptor = (next) => (call) => {
      seen.push(call)
      return next(call)
    }
    await withProducing(half, { kit: { interceptors: [looking] } }, async ({ send, topic }) => {
      const given = await withWaybill({ clk: 'alice' }, () => send(ONE))
      assert.deepEqual(shapeOf(given), bare, 'what a send resolves with')
      const calls = seen.map(({ kind, topic, method, fleet, url }) => ({ kind, topic, method, fleet, url }))
      assert.deepEqual(calls, [{ kind: 'message', topic, method: 'SEND', fleet: true, url: undefined }])
    })
  },
}

/** The names and types of what a client gives; its times and offsets differ from send to send. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)])
}
