import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { OutboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { LOGGED, loggingInterceptors } from '../../stage/logging-interceptors.js'
import { withOutbound } from '../../stage/outbound-stage.js'

export const interceptorOrder: Law<'interceptor-order', OutboundHalf> = {
  name: 'interceptor-order',
  title: 'interceptors run first-outermost, and what they hand on is what is sent',
  async holds(half) {
    const log: string[] = []
    await withOutbound(half, { kit: { interceptors: loggingInterceptors(log) } }, async ({ call, far }) => {
      await withWaybill({ clk: 'alice' }, () => call())
      assert.deepEqual(far.heard.at(-1)?.lines('clk'), ['bob'], 'the waybill that an interceptor handed on')
    })
    assert.deepEqual(log, LOGGED)
  },
}
