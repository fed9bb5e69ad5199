import assert from 'node:assert/strict'
import type { Interceptor } from '@waybill/core/adapter'
import { recordEvents, withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { withTasks } from '../../stage/task-stage.js'
import type { TaskHalf } from '../../task-record.js'

export const disabledIdentity: Law<'disabled-identity', TaskHalf> = {
  name: 'disabled-identity',
  title: 'disabled, the adapter is the identity',
  async holds(half) {
    for (const when of ['from the start', 'later']) {
      let intercepted = 0
      const counting: Interceptor = (next) => (call) => {
        intercepted++
        return next(call)
      }
      const kit = { disabled: when === 'from the start', interceptors: [counting] }
      await withTasks(half, { kit }, async (stage) => {
        if (when === 'later') {
          await stage.run('a task')
          stage.kit.disable()
        }
        intercepted = 0
        const events = recordEvents(['injected', 'settled', 'refused', 'dropped', 'conflict', 'lost'])
        try {
          await withWaybill({ clk: 'alice' }, async () => {
            const answer = { task: 'a task', clk: 'none' }
            assert.deepEqual(await stage.run('a task'), answer, `disabled ${when}: the bare task`)
            await assert.rejects(stage.run({ do: 'fail', message: 'out of stock' }), {
              message: /out of stock/,
            })
          })
          assert.deepEqual({ intercepted, events: events.all }, { intercepted: 0, events: [] })
        } finally {
          events.stop()
        }
      })
    }
  },
}
