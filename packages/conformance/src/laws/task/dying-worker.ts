import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { clkHere } from '../../stage/facts-here.js'
import { withTasks } from '../../stage/task-stage.js'
import type { TaskHalf } from '../../task-record.js'

export const dyingWorker: Law<'dying-worker', TaskHalf> = {
  name: 'dying-worker',
  title:
    'a worker that dies in the middle of a task: the error comes in its submitter’s scope, and nothing hangs',
  async holds(half) {
    await withTasks(half, {}, async ({ run }) => {
      await withWaybill({ clk: 'alice' }, async () => {
        let answered: string | undefined = 'nowhere'
        let error: unknown
        await run({ do: 'die' }, { answered: () => (answered = clkHere()) }).catch(
          (caught: unknown) => (error = caught),
        )
        assert.ok(error instanceof Error, 'the submitter gets an error')
        assert.ok(!(error instanceof assert.AssertionError), String(error))
        assert.equal(answered, 'alice')
        assert.equal(clkHere(), 'alice')
      })
    })
  },
}
