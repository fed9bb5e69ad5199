import type { Law } from './law.js'
import { appliedOnce } from './laws/task/applied-once.js'
import { carried } from './laws/task/carried.js'
import { disabledIdentity } from './laws/task/disabled-identity.js'
import { dyingWorker } from './laws/task/dying-worker.js'
import { faithfulTask } from './laws/task/faithful-task.js'
import { frozenInput } from './laws/task/frozen-input.js'
import { hostileInput } from './laws/task/hostile-input.js'
import { interceptorOrder } from './laws/task/interceptor-order.js'
import { isolated } from './laws/task/isolated.js'
import { lasting } from './laws/task/lasting.js'
import { publishedOnce } from './laws/task/published-once.js'
import { refused } from './laws/task/refused.js'
import { rooted } from './laws/task/rooted.js'
import { transferred } from './laws/task/transferred.js'
import { unprepared } from './laws/task/unprepared.js'
import type { TaskHalf, TaskLaw } from './task-record.js'

/** What holds for every adapter that hands work to another thread or process. */
export const lawsOfTasks: readonly Law<TaskLaw, TaskHalf>[] = [
  carried,
  rooted,
  isolated,
  lasting,
  hostileInput,
  faithfulTask,
  transferred,
  frozenInput,
  appliedOnce,
  disabledIdentity,
  publishedOnce,
  interceptorOrder,
  refused,
  unprepared,
  dyingWorker,
]
