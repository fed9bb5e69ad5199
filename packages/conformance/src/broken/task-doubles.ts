import type { TaskHalf, TaskLaw } from '../task-record.js'
import { WrapsAgain } from './task/applied-once.js'
import { CountsAHop } from './task/carried.js'
import { CannotBeDisabled } from './task/disabled-identity.js'
import { OverlooksDeath } from './task/dying-worker.js'
import { TidiesTasks } from './task/faithful-task.js'
import { FillsTasks } from './task/frozen-input.js'
import { InsistsOnADepth } from './task/hostile-input.js'
import { ReadsTheScope } from './task/interceptor-order.js'
import { SharesAVariable } from './task/isolated.js'
import { HidesTheError } from './task/lasting.js'
import { RepeatsInSecret } from './task/published-once.js'
import { SwallowsRefusals } from './task/refused.js'
import { LeavesTheRootBehind } from './task/rooted.js'
import { ForgetsOptions } from './task/transferred.js'
import { WrapsForEverybody } from './task/unprepared.js'

/** For each law one pool that breaks it, and no other. A new law asks for one. */
export const taskDoubles: Readonly<Record<TaskLaw, TaskHalf>> = {
  carried: new CountsAHop(),
  rooted: new LeavesTheRootBehind(),
  isolated: new SharesAVariable(),
  lasting: new HidesTheError(),
  'hostile-input': new InsistsOnADepth(),
  'faithful-task': new TidiesTasks(),
  transferred: new ForgetsOptions(),
  'frozen-input': new FillsTasks(),
  'applied-once': new WrapsAgain(),
  'disabled-identity': new CannotBeDisabled(),
  'published-once': new RepeatsInSecret(),
  'interceptor-order': new ReadsTheScope(),
  refused: new SwallowsRefusals(),
  unprepared: new WrapsForEverybody(),
  'dying-worker': new OverlooksDeath(),
}
