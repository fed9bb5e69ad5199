import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { LOGGED, loggingInterceptors } from '../../stage/logging-interceptors.js'
import { withTasks } from '../../stage/task-stage.js'
import type { TaskHalf } from '../../task-record.js'

export const interceptorOrder: Law<'interceptor-order', TaskHalf> = {
  name: 'interceptor-order',
  title: 'interceptors run first-outermost, and what they hand on is what the worker runs in',
  async holds(half) {
    const log: string[] = []
    await withTasks(half, { kit: { interceptors: loggingInterceptors(log) } }, async ({ run }) => {
      await withWaybill({ clk: 'alice' }, async () => {
        assert.deepEqual(await run('a task'), { task: 'a task', clk: 'bob' })
      })
    })
    assert.deepEqual(log, LOGGED)
  },
}
