import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { withTasks, type TaskStage } from '../../stage/task-stage.js'
import type { TaskHalf } from '../../task-record.js'
import { whileDisabled } from '../../stage/while-disabled.js'

export const disabledIdentity: Law<'disabled-identity', TaskHalf> = {
  name: 'disabled-identity',
  title: 'disabled, the adapter is the identity',
  async holds(half) {
    await whileDisabled<TaskStage>(
      (kit, act) => withTasks(half, { kit }, act),
      ({ run }) => run('a task'),
      ({ run }, when) =>
        withWaybill({ clk: 'alice' }, async () => {
          const answer = { task: 'a task', clk: 'none' }
          assert.deepEqual(await run('a task'), answer, `disabled ${when}: the bare task`)
          await assert.rejects(run({ do: 'fail', message: 'out of stock' }), { message: /out of stock/ })
        }),
    )
  },
}
