import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { tryCurrentWaybill } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { clkHere } from '../../stage/facts-here.js'
import { withTasks } from '../../stage/task-stage.js'
import type { TaskHalf } from '../../task-record.js'

const TASKS = 100

export const isolated: Law<'isolated', TaskHalf> = {
  name: 'isolated',
  title: 'a hundred interleaved tasks never see each other’s waybill, nor do those who wait for them',
  async holds(half) {
    await withTasks(half, {}, async ({ run }) => {
      await Promise.all(
        Array.from({ length: TASKS }, (_, turn) => {
          const clk = turn % 3 === 0 ? undefined : `tag-${String(turn)}`
          return withWaybill(clk === undefined ? {} : { clk }, async () => {
            await setTimeout(turn % 5)
            let answered: string | undefined = 'nowhere'
            const seen = await run({ do: 'seen', turn }, { answered: () => (answered = clkHere()) })
            const own = clk ?? 'untagged'
            assert.deepEqual(seen, [own, own, own], `task ${String(turn)} sees its own waybill`)
            assert.equal(answered, clk, `the answer to ${String(turn)} comes in its submitter’s scope`)
            assert.equal(clkHere(), clk, `the submitter of ${String(turn)} goes on in her own`)
          })
        }),
      )
      assert.equal(tryCurrentWaybill(), undefined, 'no task reaches the code around it')
    })
    // Whoever opened the workers gave them her scope.
    await withWaybill({ clk: 'opener' }, () =>
      withTasks(half, {}, async ({ run }) => {
        await withWaybill({ clk: 'alice' }, async () => {
          assert.deepEqual(await run({ do: 'seen', turn: 1 }), ['alice', 'alice', 'alice'])
        })
      }),
    )
  },
}
