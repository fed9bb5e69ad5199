import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { clksOverTime } from '../../stage/clks-over-time.js'
import { lawKit } from '../../stage/law-kit.js'
import { turns } from '../../stage/turns.js'
import type { TimerHalf } from '../../timer-record.js'

const TURNS = 10

export const lasting: Law<'lasting', TimerHalf> = {
  name: 'lasting',
  title: 'it holds turn after turn, in all that a turn awaits, when whoever started it has long ended',
  async holds(timer) {
    const kit = lawKit({ clks: 'me' })
    const looking = withWaybill({ clk: 'alice' }, () => turns(timer, kit, TURNS, clksOverTime))
    const seen = (await Promise.all(await looking)).flat()
    assert.equal(seen.length, 4 * TURNS)
    assert.equal(new Set(seen).size, 1, [...new Set(seen)].join())
  },
}
