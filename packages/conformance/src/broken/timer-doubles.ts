import type { TimerHalf, TimerLaw } from '../timer-record.js'
import { KeepsTheStarter } from './timer/carried.js'
import { CannotBeDisabled } from './timer/disabled-identity.js'
import { WaitsForCompany } from './timer/isolated.js'
import { TiresOfIt } from './timer/lasting.js'
import { SharesARequest } from './timer/own-request.js'

/** For each law one timer that breaks it, and no other. A new law asks for one. */
export const timerDoubles: Readonly<Record<TimerLaw, TimerHalf>> = {
  carried: new KeepsTheStarter(),
  'own-request': new SharesARequest(),
  isolated: new WaitsForCompany(),
  lasting: new TiresOfIt(),
  'disabled-identity': new CannotBeDisabled(),
}
