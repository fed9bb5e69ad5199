import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import { deepFreeze } from '../../deep-freeze.js'
import type { Law } from '../../law.js'
import { withTasks } from '../../stage/task-stage.js'
import type { TaskHalf } from '../../task-record.js'

export const frozenInput: Law<'frozen-input', TaskHalf> = {
  name: 'frozen-input',
  title: 'frozen tasks and options are accepted, and nothing is written to what is handed over',
  async holds(half) {
    await withTasks(half, {}, async ({ run }) => {
      const open = { do: 'echo', value: { list: [1, 2] } }
      const frozen = deepFreeze(structuredClone(open))
      await withWaybill({ clk: 'alice' }, async () => {
        const answer = { value: { list: [1, 2] }, clk: 'alice' }
        assert.deepEqual(await run(open), answer)
        const taken = run(frozen, { frozen: true })
        await assert.doesNotReject(taken, 'what is taken in open is taken in frozen')
        assert.deepEqual(await taken, answer)
      })
      assert.deepEqual(open, frozen, 'the task is as it was')
    })
  },
}
