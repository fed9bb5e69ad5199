import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { bindShardKey } from '@waybill/core'
import type { Law } from '../../law.js'
import type { ConsumingHalf } from '../../message-record.js'
import { withConsuming } from '../../stage/consuming-stage.js'
import { clkHere, factsHere } from '../../stage/facts-here.js'
import { lateCallbacks } from '../../stage/late-callbacks.js'

export const lasting: Law<'lasting', ConsumingHalf> = {
  name: 'lasting',
  title: 'it holds on the error path, when a message is delivered again, and in late callbacks',
  async holds(half) {
    await deliveredAgain(half)
    await inLateCallbacks(half)
  },
}

/** Two are rejected at first, one at once and one later; all of one key may come again with them. */
async function deliveredAgain(half: ConsumingHalf): Promise<void> {
  const seen: Record<string, (string | undefined)[]> = { alice: [], bob: [], carol: [] }
  const handler = async (value: string): Promise<void> => {
    const first = seen[value]?.push(clkHere()) === 1
    if (first && value === 'alice') throw new Error('thrown')
    await setTimeout(2)
    seen[value]?.push(clkHere())
    if (first && value === 'bob') throw new Error('rejected')
  }
  await withConsuming(half, { handler }, async ({ deliver }) => {
    const messages = Object.keys(seen).map((value) => ({
      key: 'a',
      value,
      headers: { baggage: `clk=${value}` },
    }))
    await deliver(messages)
  })
  for (const [value, clks] of Object.entries(seen)) {
    assert.ok(clks.length >= (value === 'carol' ? 2 : 3), `${value} is delivered until it is handled`)
    assert.deepEqual([...new Set(clks)], [value], 'each time in its own waybill')
  }
}

async function inLateCallbacks(half: ConsumingHalf): Promise<void> {
  const seen: Promise<unknown>[] = []
  const handler = (value: string): void => {
    if (value === 'other') return
    bindShardKey('4711')
    seen.push(...lateCallbacks(factsHere))
  }
  await withConsuming(half, { handler }, async ({ deliver }) => {
    await deliver([
      { key: 'a', value: 'one', headers: { baggage: 'clk=alice' } },
      { key: 'a', value: 'other', headers: { baggage: 'clk=bob' } },
    ])
    for (const facts of await Promise.all(seen)) {
      assert.deepEqual(facts, { clk: 'alice', shardKey: '4711' }, 'what runs after the handler')
    }
    assert.equal(seen.length, 6, 'the handler ran once')
  })
}
