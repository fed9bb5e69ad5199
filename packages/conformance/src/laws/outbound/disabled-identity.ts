import assert from 'node:assert/strict'
import type { Interceptor } from '@waybill/core/adapter'
import { recordEvents, withWaybill } from '@waybill/core/testing'
import type { OutboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { withOutbound, type OutboundStage } from '../../stage/outbound-stage.js'

/** The wire of a few calls; what differs by port is made equal. */
async function traffic({ call, far }: OutboundStage): Promise<unknown> {
  const before = far.heard.length
  const headers = { 'x-mine': '1', clk: 'mine', baggage: 'vendor=1,clk=mine' }
  for (const request of [{}, { headers }, { method: 'POST', body: 'text', headers }] as const) {
    await call(request)
    await withWaybill({ clk: 'alice' }, () => call(request))
  }
  const wire = far.heard
    .slice(before)
    .map(({ method, url, rawHeaders, body }) => ({ method, url, rawHeaders, body }))
  return JSON.parse(JSON.stringify(wire).replaceAll(String(far.port), 'port'))
}

export const disabledIdentity: Law<'disabled-identity', OutboundHalf> = {
  name: 'disabled-identity',
  title: 'disabled, the adapter is the identity',
  async holds(half) {
    let bare: unknown
    await withOutbound(half, { bare: true }, async (stage) => {
      bare = await traffic(stage)
    })
    for (const when of ['from the start', 'later']) {
      let intercepted = 0
      const counting: Interceptor = (next) => (call) => {
        intercepted++
        return next(call)
      }
      const kit = { disabled: when === 'from the start', interceptors: [counting] }
      await withOutbound(half, { kit }, async (stage) => {
        if (when === 'later') {
          await stage.call()
          stage.kit.disable()
        }
        intercepted = 0
        const events = recordEvents(['injected', 'settled', 'refused', 'dropped', 'conflict', 'lost'])
        try {
          assert.deepEqual(await traffic(stage), bare, `disabled ${when}: the wire of the bare host`)
          assert.deepEqual({ intercepted, events: events.all }, { intercepted: 0, events: [] })
        } finally {
          events.stop()
        }
      })
    }
  },
}
