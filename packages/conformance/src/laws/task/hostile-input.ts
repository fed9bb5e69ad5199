import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { withTasks } from '../../stage/task-stage.js'
import type { TaskHalf } from '../../task-record.js'

/** Nobody but this process writes what its workers read; a mistake of somebody must do no harm all the same. */
const FORGED: readonly string[] = [
  '',
  'not a waybill',
  'clk=not valid!',
  'clk=alice,clk=bob',
  'clk=%zz,shard-key=%ff',
  '\u0000\uffff',
  '__proto__=1,constructor=2',
  `long=${'x'.repeat(100_000)},clk=alice`,
]

const TASK = { do: 'seen', turn: 0 }
const UNTAGGED = ['untagged', 'untagged', 'untagged']

export const hostileInput: Law<'hostile-input', TaskHalf> = {
  name: 'hostile-input',
  title: 'a corrupt waybill is dropped, and the task is done, untagged',
  async holds(half) {
    await withTasks(half, {}, async ({ run, forge }) => {
      const forged = (text: string): Promise<unknown> => forge(text, TASK).catch(String)
      assert.deepEqual(await forged('clk=alice'), ['alice', 'alice', 'alice'])
      for (const text of FORGED) {
        const title = JSON.stringify(text.slice(0, 40))
        assert.deepEqual(await forged(text), UNTAGGED, title)
      }
      assert.deepEqual(Object.keys(Object.prototype), [], 'Object.prototype has nothing from outside')
      await withWaybill({}, async () => {
        assert.deepEqual(await run(TASK), UNTAGGED, 'the next one')
      })
    })
  },
}
