import type { Law } from './law.js'
import { carried } from './laws/timer/carried.js'
import { disabledIdentity } from './laws/timer/disabled-identity.js'
import { isolated } from './laws/timer/isolated.js'
import { lasting } from './laws/timer/lasting.js'
import { ownRequest } from './laws/timer/own-request.js'
import type { TimerHalf, TimerLaw } from './timer-record.js'

/** What holds for every way of having a function called later. */
export const lawsOfTimers: readonly Law<TimerLaw, TimerHalf>[] = [
  carried,
  ownRequest,
  isolated,
  lasting,
  disabledIdentity,
]
