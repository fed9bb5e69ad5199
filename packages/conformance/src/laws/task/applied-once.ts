import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { withTasks, type TaskStage } from '../../stage/task-stage.js'
import type { TaskHalf } from '../../task-record.js'

export const appliedOnce: Law<'applied-once', TaskHalf> = {
  name: 'applied-once',
  title: 'applied twice is applied once; undo restores identity, and a wrapper’s host was never written to',
  async holds(half) {
    await withTasks(half, { times: 2 }, async (stage) => {
      const { kit, run, loans } = stage
      await withWaybill({ clk: 'alice' }, async () => {
        assert.deepEqual(await run('a task'), { task: 'a task', clk: 'alice' })
      })
      const { injected, settled } = kit.counters
      assert.deepEqual({ injected, settled }, { injected: 1, settled: 1 }, 'a task is one call')
      if (half.kind === 'installer') await undone(stage)
      if (half.kind !== 'plug') assert.ok(loans.size > 0, `${half.kind}: the host was lent`)
      assert.deepEqual(loans.changes(), [], `${half.kind}: the host is as it was`)
    })
  },
}

async function undone({ undo, run, loans }: TaskStage): Promise<void> {
  undo()
  assert.deepEqual(loans.changes(), [], 'undo restores the very same functions')
  undo()
  await withWaybill({ clk: 'alice' }, async () => {
    assert.deepEqual(await run('a task'), { task: 'a task', clk: 'none' }, 'after undo nothing is carried')
  })
}
