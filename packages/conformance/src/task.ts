export { taskLaws } from './task-laws.js'
export { everyTaskLaw } from './every-task-law.js'
export { deepFreeze } from './deep-freeze.js'
export type { TaskHalf, TaskHop, TaskLaw, TaskOpening, TaskOptions, TaskRecord } from './task-record.js'
