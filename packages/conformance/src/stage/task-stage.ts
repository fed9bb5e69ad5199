import assert from 'node:assert/strict'
import type { Kit, KitOptions } from '@waybill/core'
import { Loans } from '../loans.js'
import type { TaskHalf, TaskOptions } from '../task-record.js'
import { lawKit } from './law-kit.js'

/** What a law for tasks sets up. */
export interface TaskSetting {
  readonly kit?: KitOptions
  /** True: the bare host, without the adapter on either side. */
  readonly bare?: boolean
  readonly times?: 1 | 2
  /** False: the worker alone is bare. Default true. */
  readonly prepared?: boolean
}

/** Workers behind the adapter. */
export interface TaskStage {
  readonly kit: Kit
  readonly loans: Loans
  /** Rejects where no answer comes in time. */
  readonly run: (task: unknown, options?: TaskOptions) => Promise<unknown>
  readonly forge: (text: string, task: unknown) => Promise<unknown>
  readonly undo: () => void
}

const WORK = new URL('../task/work.mjs', import.meta.url).href
const ANSWER_WITHIN_MS = 10_000

/** Opens a stage, lets a law act on it, and closes it in any case. */
export async function withTasks(
  half: TaskHalf,
  { kit: options, bare = false, times = 1, prepared = true }: TaskSetting,
  act: (stage: TaskStage) => Promise<void>,
): Promise<void> {
  const kit = lawKit(options)
  const loans = new Loans()
  const hop = await half.open({
    kit: bare ? undefined : kit,
    times,
    lend: loans.lend,
    work: WORK,
    prepared: prepared && !bare,
  })
  try {
    await act({
      kit,
      loans,
      run: (task, given) => inTime(hop.run(task, given)),
      forge: (text, task) => inTime(hop.forge(text, task)),
      undo() {
        if (hop.undo === undefined) throw new Error('an installer gives back an undo')
        hop.undo()
      },
    })
  } finally {
    await hop.close()
  }
}

/** Nothing hangs: a worker that does not answer breaks whatever law waits for it. */
async function inTime(answer: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new assert.AssertionError({ message: `no answer within ${String(ANSWER_WITHIN_MS)} ms` }))
    }, ANSWER_WITHIN_MS)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
