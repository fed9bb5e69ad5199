import { judgeHalf } from './judge.js'
import { lawsOfTasks } from './laws-of-tasks.js'
import type { TaskRecord } from './task-record.js'

/** Registers the laws of tasks as tests, with real workers. */
export function taskLaws({ name, tasks }: TaskRecord): void {
  judgeHalf(name, tasks, lawsOfTasks)
}
