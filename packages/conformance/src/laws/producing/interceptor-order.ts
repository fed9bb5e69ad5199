import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import type { ProducingHalf } from '../../message-record.js'
import { LOGGED, loggingInterceptors } from '../../stage/logging-interceptors.js'
import { withProducing } from '../../stage/producing-stage.js'

export const interceptorOrder: Law<'interceptor-order', ProducingHalf> = {
  name: 'interceptor-order',
  title: 'interceptors run first-outermost, and what they hand on is what is sent',
  async holds(half) {
    const log: string[] = []
    await withProducing(half, { kit: { interceptors: loggingInterceptors(log) } }, async ({ send, read }) => {
      await withWaybill({ clk: 'alice' }, () =>
        send([
          { key: 'a', value: 'one' },
          { key: 'a', value: 'two', headers: { baggage: 'vendor=1' } },
        ]),
      )
      const lines = (await read(2)).map((message) => message.lines('baggage').join())
      assert.deepEqual(
        lines,
        ['clk=bob,waybill-depth=1', 'clk=bob,waybill-depth=1,vendor=1'],
        'the waybill that an interceptor handed on',
      )
    })
    assert.deepEqual(log, LOGGED)
  },
}
