import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { tryCurrentWaybill } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { clksOverTime } from '../../stage/clks-over-time.js'
import { clkHere } from '../../stage/facts-here.js'
import { lawKit } from '../../stage/law-kit.js'
import { turns } from '../../stage/turns.js'
import type { TimerHalf } from '../../timer-record.js'

const STARTERS = 100

export const isolated: Law<'isolated', TimerHalf> = {
  name: 'isolated',
  title: 'a hundred that are started by different requests never see each other’s waybill',
  async holds(timer) {
    const kit = lawKit({ clks: 'me' })
    await Promise.all(
      Array.from({ length: STARTERS }, (_, starter) => {
        const own = `tag-${String(starter)}`
        return withWaybill({ clk: own }, async () => {
          await setTimeout(starter % 5)
          const looks = await turns(timer, kit, 2, (turn) => clksOverTime(starter + turn))
          const seen = new Set((await Promise.all(looks)).flat())
          seen.delete('me')
          seen.delete(own)
          assert.deepEqual([...seen], [], `what ${own} has started`)
          assert.equal(clkHere(), own, 'whoever starts one goes on in her own scope')
        })
      }),
    )
    assert.equal(tryCurrentWaybill(), undefined, 'no turn reaches the code around it')
  },
}
