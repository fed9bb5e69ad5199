import assert from 'node:assert/strict'
import type { InboundHalf } from '../../adapter-record.js'
import type { Law } from '../../law.js'
import { clkHere } from '../../stage/facts-here.js'
import { withInbound, type InboundStage } from '../../stage/inbound-stage.js'

const TAGGED = [['clk', 'alice']] as const

export const appliedOnce: Law<'applied-once', InboundHalf> = {
  name: 'applied-once',
  title: 'applied twice is applied once; undo restores identity, and a wrapper’s host was never written to',
  async holds(half) {
    const handler = (_request: unknown, response: { end(text: string): unknown }): unknown =>
      response.end(clkHere() ?? 'untagged')
    await withInbound(half, { handler, times: 2 }, async (stage) => {
      const { kit, send } = stage
      let requests = 0
      for (const request of [{}, { method: 'POST', body: ['a ', 'body'] }]) {
        for (const headers of [TAGGED, []]) {
          const { text } = await send({ ...request, headers })
          assert.equal(text, headers.length === 0 ? 'untagged' : 'alice')
          assert.equal(kit.counters.adopted, ++requests, 'a request is adopted once')
        }
      }
      if (half.kind === 'installer') await undone(stage)
      if (half.kind !== 'plug') assert.ok(stage.loans.size > 0, `${half.kind}: the host was lent`)
      assert.deepEqual(stage.loans.changes(), [], `${half.kind}: the host is as it was`)
    })
  },
}

async function undone({ undo, send, loans }: InboundStage): Promise<void> {
  undo()
  assert.deepEqual(loans.changes(), [], 'undo restores the very same functions')
  undo()
  assert.equal((await send({ headers: TAGGED })).text, 'none', 'after undo nothing is adopted')
}
