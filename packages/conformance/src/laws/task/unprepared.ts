import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { clkHere } from '../../stage/facts-here.js'
import { withTasks } from '../../stage/task-stage.js'
import type { TaskHalf } from '../../task-record.js'

export const unprepared: Law<'unprepared', TaskHalf> = {
  name: 'unprepared',
  title: 'a worker that nobody prepared gets the bare task, and its submitter keeps her scope',
  async holds(half) {
    await withTasks(half, { prepared: false }, async ({ run }) => {
      await withWaybill({ clk: 'alice' }, async () => {
        for (const task of ['a task', { nested: ['task'] }, null]) {
          assert.deepEqual(await run(task), { task, clk: 'none' })
          assert.equal(clkHere(), 'alice')
        }
      })
    })
  },
}
