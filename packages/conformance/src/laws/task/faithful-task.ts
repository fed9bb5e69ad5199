import assert from 'node:assert/strict'
import { withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { withTasks, type TaskStage } from '../../stage/task-stage.js'
import type { TaskHalf } from '../../task-record.js'

/** A host copies some of these, and changes or refuses others; the adapter is to change nothing of that. */
const tasks = (): readonly unknown[] => [
  'text',
  '',
  0,
  false,
  null,
  undefined,
  ['a', 'list'],
  { nested: { list: [1, 2], nothing: null }, undefined },
  { waybill: 'of somebody', task: 'of somebody' },
  new Date(0),
  new Map([['a', new Set([1n])]]),
  Buffer.from('bytes'),
  new RangeError('an error'),
  Object.assign(Object.create(null) as object, { bare: true }),
  () => 'a function',
  { inside: () => 'a function' },
]

export const faithfulTask: Law<'faithful-task', TaskHalf> = {
  name: 'faithful-task',
  title:
    'a task arrives as without the kit, and so does its answer; what the host refuses is the host’s own error',
  async holds(half) {
    let bare: readonly unknown[] = []
    await withTasks(half, { bare: true }, async ({ run }) => {
      bare = await answersTo(run)
    })
    await withTasks(half, {}, async ({ run }) => {
      assert.deepEqual(await withWaybill({ clk: 'alice' }, () => answersTo(run)), bare)
    })
  },
}

async function answersTo(run: TaskStage['run']): Promise<readonly unknown[]> {
  const answers: unknown[] = []
  for (const value of tasks()) {
    // As the task itself, and as a part of one.
    for (const task of [value, { do: 'echo', value }]) {
      const answer = await run(task).then(
        (given) => ({ ...(given as object), clk: undefined }),
        (error: unknown) => (error instanceof Error ? [error.name, error.message] : error),
      )
      answers.push(answer)
    }
  }
  return answers
}
