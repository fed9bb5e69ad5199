import assert from 'node:assert/strict'
import { tryCurrentWaybill } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import type { ConsumingHalf } from '../../message-record.js'
import { clksOverTime } from '../../stage/clks-over-time.js'
import { withConsuming } from '../../stage/consuming-stage.js'
import { factsHere } from '../../stage/facts-here.js'

const MESSAGES = 100
const KEYS = 10

const tagOf = (turn: number): string | undefined => (turn % 3 === 0 ? undefined : `tag-${String(turn)}`)

export const isolated: Law<'isolated', ConsumingHalf> = {
  name: 'isolated',
  title: 'a hundred interleaved messages, in batches and side by side, never see each other’s waybill',
  async holds(half) {
    await interleaved(half)
    await besideTheOpener(half)
  },
}

async function interleaved(half: ConsumingHalf): Promise<void> {
  const seen = new Map<string, readonly string[]>()
  const handler = async (value: string): Promise<void> => {
    seen.set(value, await clksOverTime(Number(value)))
  }
  const waiting = Array.from({ length: MESSAGES }, (_, turn) => {
    const clk = tagOf(turn)
    const headers = clk === undefined ? {} : { headers: { baggage: `clk=${clk}` } }
    return { key: String(turn % KEYS), value: String(turn), ...headers }
  })
  await withConsuming(half, { waiting, handler }, ({ deliver }) => deliver([]))
  for (let turn = 0; turn < MESSAGES; turn++) {
    const own = tagOf(turn) ?? 'untagged'
    assert.deepEqual(
      seen.get(String(turn)),
      [own, own, own, own],
      `message ${String(turn)} sees its own waybill`,
    )
  }
  assert.equal(tryCurrentWaybill(), undefined, 'no message reaches the code around it')
}

/** A consumer whose `run` was called in a scope would give that scope to every message. */
async function besideTheOpener(half: ConsumingHalf): Promise<void> {
  let seen: unknown
  const handler = (): void => {
    seen = factsHere()
  }
  await withWaybill({ clk: 'opener', shardKey: '4711', depth: 5 }, () =>
    withConsuming(half, { handler }, ({ deliver }) => deliver([{ key: 'a', value: 'one' }])),
  )
  assert.deepEqual(seen, {}, 'a message has nothing of the scope in which the consumer was run')
}
