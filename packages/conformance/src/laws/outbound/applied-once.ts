import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { OutboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { withOutbound, type OutboundStage } from '../../stage/outbound-stage.js'
import { namesOfOurs } from '../../wire/names-of-ours.js'

export const appliedOnce: Law<'applied-once', OutboundHalf> = {
  name: 'applied-once',
  title: 'applied twice is applied once; undo restores identity, and a wrapper’s host was never written to',
  async holds(half) {
    await withOutbound(half, { times: 2 }, async (stage) => {
      const { kit, call, far } = stage
      let calls = 0
      for (const request of [{}, { method: 'POST', body: 'text' }] as const) {
        await withWaybill({ clk: 'alice', depth: 2 }, () => call(request))
        const heard = far.heard.at(-1)
        assert.ok(heard)
        assert.deepEqual(heard.lines('clk'), ['alice'], 'one line')
        assert.deepEqual(heard.lines('baggage'), ['clk=alice,waybill-depth=3'], 'one call deeper')
        const { injected, settled } = kit.counters
        calls++
        assert.deepEqual({ injected, settled }, { injected: calls, settled: calls }, 'a call is one call')
      }
      if (half.kind === 'installer') await undone(stage)
      if (half.kind !== 'plug') assert.ok(stage.loans.size > 0, `${half.kind}: the host was lent`)
      assert.deepEqual(stage.loans.changes(), [], `${half.kind}: the host is as it was`)
    })
  },
}

async function undone({ undo, call, far, loans }: OutboundStage): Promise<void> {
  undo()
  assert.deepEqual(loans.changes(), [], 'undo restores the very same functions')
  undo()
  await withWaybill({ clk: 'alice' }, () => call())
  const heard = far.heard.at(-1)
  assert.ok(heard)
  assert.deepEqual(namesOfOurs(heard), [], 'after undo nothing is carried')
}
