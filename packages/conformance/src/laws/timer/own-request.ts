import assert from 'node:assert/strict'
import { bindShardKey, currentWaybill } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { lawKit } from '../../stage/law-kit.js'
import { turns } from '../../stage/turns.js'
import type { TimerHalf } from '../../timer-record.js'

export const ownRequest: Law<'own-request', TimerHalf> = {
  name: 'own-request',
  title: 'each turn is a request of its own: two may act for two users, and whoever started it sees neither',
  async holds(timer) {
    const kit = lawKit({ clks: 'me' })
    await withWaybill({}, async () => {
      const keys = await turns(timer, kit, 2, (turn) => {
        try {
          bindShardKey(`user-${String(turn)}`)
          return currentWaybill().shardKey
        } catch (error) {
          return String(error)
        }
      })
      assert.deepEqual(keys, ['user-0', 'user-1'])
      assert.equal(currentWaybill().shardKey, undefined)
    })
  },
}
