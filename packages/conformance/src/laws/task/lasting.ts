import assert from 'node:assert/strict'
import { bindWaybill } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { clkHere } from '../../stage/facts-here.js'
import { lateCallbacks } from '../../stage/late-callbacks.js'
import { withTasks } from '../../stage/task-stage.js'
import type { TaskHalf } from '../../task-record.js'

export const lasting: Law<'lasting', TaskHalf> = {
  name: 'lasting',
  title: 'it holds on the error path, and in late callbacks',
  async holds(half) {
    await withTasks(half, {}, async ({ run }) => {
      await withWaybill({ clk: 'alice' }, async () => {
        let answered: string | undefined = 'nowhere'
        const failing = run(
          { do: 'fail', message: 'out of stock' },
          { answered: () => (answered = clkHere()) },
        )
        await assert.rejects(failing, { message: /out of stock/ }, 'the worker’s error comes back')
        assert.equal(answered, 'alice', 'it comes in its submitter’s scope')
        assert.equal(clkHere(), 'alice', 'who catches it is in hers')
        assert.deepEqual(await run({ do: 'seen', turn: 1 }), ['alice', 'alice', 'alice'], 'the task after it')
      })
      const task = { do: 'seen', turn: 2 }
      let bound: () => Promise<unknown> = () => Promise.resolve()
      const late = withWaybill({ clk: 'bob' }, () => {
        bound = bindWaybill(() => run(task))
        return lateCallbacks(() => run(task))
      })
      for (const seen of await Promise.all([...late, bound()])) {
        assert.deepEqual(seen, ['bob', 'bob', 'bob'], 'a task submitted later')
      }
    })
  },
}
