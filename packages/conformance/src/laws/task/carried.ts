import assert from 'node:assert/strict'
import { expectCarried, withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { withTasks } from '../../stage/task-stage.js'
import type { TaskHalf } from '../../task-record.js'

const TAGGED = { clk: 'alice', shardKey: '泳道', hopCount: 1, targetUnit: 'sz', depth: 2 }

/** What a worker tells of an empty waybill; JSON, which some hosts send, has no undefined. */
const factsOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

export const carried: Law<'carried', TaskHalf> = {
  name: 'carried',
  title: 'a task runs in its submitter’s waybill, and so do the calls that it makes; it is no hop',
  async holds(half) {
    await withTasks(half, {}, async ({ run }) => {
      await withWaybill(TAGGED, async () => {
        assert.deepEqual(factsOf(await run({ do: 'facts' })), TAGGED, 'every fact, the depth as it is')
        const set = (await run({ do: 'call' })) as readonly (readonly [string, string])[]
        const { clk, shardKey, hopCount, targetUnit, depth } = expectCarried(Object.fromEntries(set), {})
        assert.deepEqual(
          { clk, shardKey, hopCount, targetUnit, depth },
          { ...TAGGED, depth: 3 },
          'a call of the worker is one hop deeper',
        )
      })
      await withWaybill({}, async () => {
        const untagged = factsOf(await run({ do: 'facts' }))
        assert.deepEqual(untagged, { hopCount: 0, depth: 0 }, 'of an untagged one')
      })
    })
    await withTasks(half, { kit: { clks: 'me' } }, async ({ run }) => {
      await withWaybill({}, async () => {
        const untagged = factsOf(await run({ do: 'facts' }))
        assert.deepEqual(untagged, { hopCount: 0, depth: 0 }, 'of an untagged one at a process with a clk')
      })
    })
  },
}
