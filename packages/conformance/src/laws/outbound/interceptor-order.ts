import assert from 'node:assert/strict'
import type { Interceptor } from '@waybill/core/adapter'
import { withWaybill } from '@waybill/core/testing'
import type { OutboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { withOutbound } from '../../stage/outbound-stage.js'

export const interceptorOrder: Law<'interceptor-order', OutboundHalf> = {
  name: 'interceptor-order',
  title: 'interceptors run first-outermost, and what they hand on is what is sent',
  async holds(half) {
    const log: string[] = []
    const logging =
      (name: string): Interceptor =>
      (next) =>
      async (call) => {
        log.push(`${name} call ${call.waybill.clk ?? 'untagged'}`)
        const reply = await next(
          name === 'middle' ? { ...call, waybill: call.waybill.with({ clk: 'bob' }) } : call,
        )
        log.push(`${name} reply ${String(reply.status)}`)
        return reply
      }
    const interceptors = ['outer', 'middle', 'inner'].map(logging)
    await withOutbound(half, { kit: { interceptors } }, async ({ call, far }) => {
      await withWaybill({ clk: 'alice' }, () => call())
      assert.deepEqual(far.heard.at(-1)?.lines('clk'), ['bob'], 'the waybill that an interceptor handed on')
    })
    assert.deepEqual(log, [
      'outer call alice',
      'middle call alice',
      'inner call bob',
      'inner reply 200',
      'middle reply 200',
      'outer reply 200',
    ])
  },
}
