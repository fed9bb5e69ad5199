import type { TaskLaw } from './task-record.js'

/** The answers of workers that obey every law, those that are yet to come included. */
export const everyTaskLaw: Readonly<Record<TaskLaw, true>> = {
  carried: true,
  rooted: true,
  isolated: true,
  lasting: true,
  'hostile-input': true,
  'faithful-task': true,
  transferred: true,
  'frozen-input': true,
  'applied-once': true,
  'disabled-identity': true,
  'published-once': true,
  'interceptor-order': true,
  refused: true,
  unprepared: true,
  'dying-worker': true,
}
