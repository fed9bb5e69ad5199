import { judgeHalf } from './judge.js'
import { lawsOfTasks } from './laws-of-tasks.js'
import { keepResults } from './table/keep-results.js'
import type { VerifiedCarrier } from './table/verified.js'
import type { TaskRecord } from './task-record.js'

/** Registers the laws of tasks as tests, with real workers. Call it once in a file, with all of the file's records. */
export function taskLaws(...records: readonly TaskRecord[]): void {
  keepResults(records.map(judgeTasks))
}

/** The tests of one record alone, without those of the table. */
export function judgeTasks({ name, tasks }: TaskRecord): VerifiedCarrier {
  return { kind: 'tasks', name, traits: { kind: tasks.kind }, laws: judgeHalf(name, tasks, lawsOfTasks) }
}
