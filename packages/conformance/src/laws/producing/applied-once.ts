import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import type { ProducingHalf } from '../../message-record.js'
import { withProducing, type ProducingStage } from '../../stage/producing-stage.js'
import { namesOfOurs } from '../../wire/names-of-ours.js'

const MESSAGES = [
  { key: 'a', value: 'one' },
  { key: 'a', value: 'two', headers: { mine: '1' } },
]

export const appliedOnce: Law<'applied-once', ProducingHalf> = {
  name: 'applied-once',
  title: 'applied twice is applied once; undo restores identity, and a wrapper’s host was never written to',
  async holds(half) {
    await withProducing(half, { times: 2 }, async (stage) => {
      const { kit, send, read, loans } = stage
      await withWaybill({ clk: 'alice', depth: 2 }, () => send(MESSAGES))
      for (const { lines } of await read(2)) {
        assert.deepEqual(lines('baggage'), ['clk=alice,waybill-depth=3'], 'one header, one hop deeper')
      }
      const { injected, settled } = kit.counters
      assert.deepEqual({ injected, settled }, { injected: 1, settled: 1 }, 'a send is one call')
      if (half.kind === 'installer') await undone(stage)
      if (half.kind !== 'plug') assert.ok(loans.size > 0, `${half.kind}: the host was lent`)
      assert.deepEqual(loans.changes(), [], `${half.kind}: the host is as it was`)
    })
  },
}

async function undone({ undo, send, read, loans }: ProducingStage): Promise<void> {
  undo()
  assert.deepEqual(loans.changes(), [], 'undo restores the very same functions')
  undo()
  await withWaybill({ clk: 'alice' }, () => send(MESSAGES))
  for (const message of (await read(4)).slice(2)) {
    assert.deepEqual(namesOfOurs(message), [], 'after undo nothing is carried')
  }
}
