import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { withTasks } from '../../stage/task-stage.js'
import type { TaskHalf } from '../../task-record.js'

export const transferred: Law<'transferred', TaskHalf> = {
  name: 'transferred',
  title: 'what is moved to the worker is moved, not copied, and the task has its waybill all the same',
  async holds(half) {
    await withTasks(half, {}, async ({ run }) => {
      const { buffer } = Uint8Array.of(1, 2, 3)
      const answering = withWaybill({ clk: 'alice' }, () =>
        run({ do: 'bytes', buffer }, { transfer: [buffer] }),
      )
      const answer = await answering.catch((error: unknown) => String(error))
      assert.deepEqual(answer, { bytes: [1, 2, 3], clk: 'alice' })
      assert.equal(buffer.byteLength, 0, 'it is not here any more')
    })
  },
}
