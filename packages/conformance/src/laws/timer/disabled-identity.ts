import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { clkHere } from '../../stage/facts-here.js'
import { lawKit } from '../../stage/law-kit.js'
import { turns } from '../../stage/turns.js'
import type { TimerHalf } from '../../timer-record.js'

export const disabledIdentity: Law<'disabled-identity', TimerHalf> = {
  name: 'disabled-identity',
  title: 'with a disabled kit it is a timer of Node’s: what it calls runs where it was started',
  async holds(timer) {
    const kit = lawKit({ clks: 'me', disabled: true })
    assert.deepEqual(await withWaybill({ clk: 'alice' }, () => turns(timer, kit, 2, clkHere)), [
      'alice',
      'alice',
    ])
    assert.deepEqual(await turns(timer, kit, 2, clkHere), ['none', 'none'])
  },
}
