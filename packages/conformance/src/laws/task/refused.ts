import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { isWaybillError } from '@waybill/core/adapter'
import { recordEvents, withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { refusingBob } from '../../stage/refusing-bob.js'
import { withTasks } from '../../stage/task-stage.js'
import { catchUncaught } from '../../stage/uncaught.js'
import type { TaskHalf } from '../../task-record.js'

const TOLD_WITHIN_MS = 1_000

export const refused: Law<'refused', TaskHalf> = {
  name: 'refused',
  title: 'a task that an interceptor refuses is not done, and its submitter gets the refusal',
  async holds(half) {
    await withTasks(half, { kit: { interceptors: [refusingBob] } }, async ({ run }) => {
      const recorded = recordEvents(['injected', 'settled', 'refused'])
      try {
        let told: unknown
        const unhandled = await catchUncaught(async () => {
          const running = withWaybill({ clk: 'bob' }, () => run('a task')).catch((error: unknown) => error)
          told = await Promise.race([running, wait(TOLD_WITHIN_MS, 'nothing', { ref: false })])
        }, 'unhandledRejection')
        assert.ok(isWaybillError(told) && told.code === 'ERR_WAYBILL_NO_PROVIDER', `it gets ${String(told)}`)
        assert.deepEqual(unhandled, [], 'nobody else does')
        assert.deepEqual(
          recorded.all.map(({ name }) => name),
          ['refused'],
          'it is published once',
        )
      } finally {
        recorded.stop()
      }
    })
  },
}
