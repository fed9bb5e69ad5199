import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { tryCurrentWaybill } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import type { ProducingHalf } from '../../message-record.js'
import { clkHere } from '../../stage/facts-here.js'
import { withProducing } from '../../stage/producing-stage.js'

const SENDS = 100

export const isolated: Law<'isolated', ProducingHalf> = {
  name: 'isolated',
  title: 'a hundred interleaved sends never see each other’s waybill, and after the send there is none',
  async holds(half) {
    await withProducing(half, {}, async ({ send, read }) => {
      await Promise.all(
        Array.from({ length: SENDS }, (_, turn) => {
          const clk = turn % 3 === 0 ? undefined : `tag-${String(turn)}`
          return withWaybill(clk === undefined ? {} : { clk }, async () => {
            await setTimeout(turn % 5)
            const headers = turn % 2 === 0 ? {} : { headers: { baggage: 'vendor=1' } }
            await send([{ key: String(turn), value: String(turn), ...headers }])
            assert.equal(clkHere(), clk, `the sender of ${String(turn)} is in its own scope`)
          })
        }),
      )
      assert.equal(tryCurrentWaybill(), undefined, 'no send reaches the code around it')
      for (const { value, lines } of await read(SENDS)) {
        const turn = Number(value)
        const members = [...(turn % 3 === 0 ? [] : [`clk=tag-${String(turn)}`]), 'waybill-depth=1']
        const expected = [...members, ...(turn % 2 === 0 ? [] : ['vendor=1'])].join()
        assert.deepEqual(lines('baggage'), [expected], `message ${String(turn)} bears its own waybill`)
      }
    })
  },
}
