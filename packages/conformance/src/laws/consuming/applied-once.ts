import assert from 'node:assert/strict'
import type { Law } from '../../law.js'
import type { ConsumingHalf } from '../../message-record.js'
import { withConsuming, type ConsumingStage } from '../../stage/consuming-stage.js'
import { clkHere } from '../../stage/facts-here.js'

const MESSAGES = [
  { key: 'a', value: 'alice', headers: { baggage: 'clk=alice' } },
  { key: 'a', value: 'untagged', headers: { mine: '1' } },
  { key: 'a', value: 'untagged' },
]

export const appliedOnce: Law<'applied-once', ConsumingHalf> = {
  name: 'applied-once',
  title: 'applied twice is applied once; undo restores identity, and a wrapper’s host was never written to',
  async holds(half) {
    const seen: string[] = []
    const handler = (): void => void seen.push(clkHere() ?? 'untagged')
    await withConsuming(half, { times: 2, handler }, async (stage) => {
      const { kit, loans, deliver } = stage
      await deliver(MESSAGES)
      assert.deepEqual(seen, ['alice', 'untagged', 'untagged'])
      assert.equal(kit.counters.adopted, MESSAGES.length, 'a message is adopted once')
      if (half.kind === 'installer') await undone(stage, seen)
      if (half.kind !== 'plug') assert.ok(loans.size > 0, `${half.kind}: the host was lent`)
      assert.deepEqual(loans.changes(), [], `${half.kind}: the host is as it was`)
    })
  },
}

async function undone({ undo, deliver, loans }: ConsumingStage, seen: readonly string[]): Promise<void> {
  undo()
  assert.deepEqual(loans.changes(), [], 'undo restores the very same functions')
  undo()
  await deliver(MESSAGES.slice(0, 1))
  assert.equal(seen.at(-1), 'none', 'after undo nothing is adopted')
}
