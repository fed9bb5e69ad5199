import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { OutboundHalf } from '../../adapter-record.js'
import { deepFreeze } from '../../deep-freeze.js'
import type { Law } from '../../law.js'
import { withOutbound } from '../../stage/outbound-stage.js'

export const frozenInput: Law<'frozen-input', OutboundHalf> = {
  name: 'frozen-input',
  title: 'frozen options and headers are accepted',
  async holds(half) {
    await withOutbound(half, {}, async ({ call, far }) => {
      const headers = deepFreeze({ 'x-mine': '1', clk: 'mallory', baggage: 'vendor=1' })
      for (const request of [{}, { method: 'POST', body: 'text' }] as const) {
        await call({ ...request, headers: { ...headers } })
        await assert.doesNotReject(
          withWaybill({ clk: 'alice' }, () => call({ ...request, headers, frozen: true })),
          'what is taken in open is taken in frozen',
        )
        const heard = far.heard.at(-1)
        assert.ok(heard)
        assert.deepEqual(heard.lines('clk'), ['alice'], 'a frozen call bears the waybill')
        assert.deepEqual(heard.lines('x-mine'), ['1'])
        assert.deepEqual(heard.lines('baggage'), ['clk=alice,waybill-depth=1,vendor=1'])
      }
    })
  },
}
