import assert from 'node:assert/strict'
import type { Law } from '../../law.js'
import { withTasks } from '../../stage/task-stage.js'
import type { TaskHalf } from '../../task-record.js'

export const rooted: Law<'rooted', TaskHalf> = {
  name: 'rooted',
  title: 'a task that is submitted in no scope runs under the root waybill of its submitter’s process',
  async holds(half) {
    for (const clks of [[], 'me']) {
      await withTasks(half, { kit: { clks } }, async ({ run }) => {
        const answer = { task: 'a task', clk: clks === 'me' ? 'me' : 'untagged' }
        assert.deepEqual(await run('a task'), answer)
      })
    }
  },
}
