import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { subscribe } from '@waybill/core'
import { recordEvents, withWaybill } from '@waybill/core/testing'
import type { Law } from '../../law.js'
import { withTasks, type TaskStage } from '../../stage/task-stage.js'
import type { TaskHalf } from '../../task-record.js'
import { catchUncaught } from '../../stage/uncaught.js'

interface Ending {
  readonly title: string
  readonly clk: string
  readonly task: unknown
  readonly events: readonly ('injected' | 'settled' | 'refused')[]
  /** True: it rejects. */
  readonly fails: boolean
}

const ENDINGS: readonly Ending[] = [
  { title: 'an answer', clk: 'alice', task: 'a task', events: ['injected', 'settled'], fails: false },
  {
    title: 'an error of the work',
    clk: 'alice',
    task: { do: 'fail', message: 'out of stock' },
    events: ['injected', 'settled'],
    fails: true,
  },
]

export const publishedOnce: Law<'published-once', TaskHalf> = {
  name: 'published-once',
  title: 'each task is settled and published once, however it ends, and no subscriber changes it',
  async holds(half) {
    await withTasks(half, {}, async (stage) => {
      for (const ending of ENDINGS) await ends(stage, ending)
      await besideAThrower(stage)
    })
  },
}

async function ends({ kit, run }: TaskStage, { title, clk, task, events, fails }: Ending): Promise<void> {
  const recorded = recordEvents(['injected', 'settled', 'refused'])
  const before = { ...kit.counters }
  try {
    let error: unknown
    await withWaybill({ clk }, () => run(task)).catch((caught: unknown) => (error = caught))
    assert.equal(error !== undefined, fails, `${title}: ${fails ? 'rejects' : 'resolves'}`)
    // What is published too much may come late.
    await wait(5)
    assert.deepEqual(
      recorded.all.map(({ name }) => name),
      events,
      title,
    )
    const calls = new Set(recorded.all.map(({ event }) => (event as { call?: string }).call))
    assert.equal(calls.size, 1, `${title}: one call`)
    for (const event of recorded.of('injected'))
      assert.deepEqual([event.kind, event.clk], ['task', clk], title)
    for (const name of ['injected', 'settled', 'refused'] as const) {
      const count = events.filter((event) => event === name).length
      assert.equal(kit.counters[name] - before[name], count, `${title}: counted as published`)
    }
  } finally {
    recorded.stop()
  }
}

async function besideAThrower({ run }: TaskStage): Promise<void> {
  const caught = await catchUncaught(async () => {
    const stops = (['injected', 'settled'] as const).map((name) =>
      subscribe(name, () => {
        throw new Error('a subscriber')
      }),
    )
    try {
      await withWaybill({ clk: 'alice' }, async () => {
        assert.deepEqual(await run('a task'), { task: 'a task', clk: 'alice' })
      })
    } finally {
      for (const stop of stops) stop()
    }
  })
  assert.equal(caught.length, 2, 'a subscriber’s error is the process’s')
}
