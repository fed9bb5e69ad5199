import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { OutboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { withOutbound, type OutboundStage } from '../../stage/outbound-stage.js'
import { whileDisabled } from '../../stage/while-disabled.js'

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
    await whileDisabled<OutboundStage>(
      (kit, act) => withOutbound(half, { kit }, act),
      ({ call }) => call(),
      async (stage, when) => {
        assert.deepEqual(await traffic(stage), bare, `disabled ${when}: the wire of the bare host`)
      },
    )
  },
}
