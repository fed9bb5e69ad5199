import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { clkHere } from '../../stage/facts-here.js'
import { lawKit } from '../../stage/law-kit.js'
import { turns } from '../../stage/turns.js'
import type { TimerHalf } from '../../timer-record.js'

export const disabledIdentity: Law<'disabled-identity', TimerHalf> = {
  name: 'disabled-identity',
  title: 'disabled, it carries nothing: a timer of Node’s is left alone, a detached one is nobody’s',
  async holds(timer) {
    const kit = lawKit({ clks: 'me', disabled: true })
    // In its starter's scope, whatever gives each turn a request of its own would go on under her for ever.
    const here = timer.laws['own-request'] === true ? 'none' : 'alice'
    assert.deepEqual(await withWaybill({ clk: 'alice' }, () => turns(timer, kit, 2, clkHere)), [here, here])
    assert.deepEqual(await turns(timer, kit, 2, clkHere), ['none', 'none'])
  },
}
