import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { factsHere } from '../../stage/facts-here.js'
import { lawKit } from '../../stage/law-kit.js'
import { turns } from '../../stage/turns.js'
import type { TimerHalf } from '../../timer-record.js'

const STARTER = { clk: 'alice', shardKey: '7', hopCount: 1, targetUnit: 'sz', depth: 2 }
const ROOT = { clk: 'me' }

export const carried: Law<'carried', TimerHalf> = {
  name: 'carried',
  title: 'each turn runs under the waybill that the timer promises',
  async holds(timer) {
    const kit = lawKit({ clks: 'me' })
    const seen = await withWaybill(STARTER, () => turns(timer, kit, 3, factsHere))
    const expected = timer.under === 'root' ? ROOT : STARTER
    assert.deepEqual(seen, [expected, expected, expected])
  },
}
