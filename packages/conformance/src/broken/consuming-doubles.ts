import type { ConsumingHalf, ConsumingLaw } from '../message-record.js'
import { AdoptsAgain } from './consuming/applied-once.js'
import { KnowsLowerCaseAlone } from './consuming/carried.js'
import { CannotBeDisabled } from './consuming/disabled-identity.js'
import { TakesTheLastValue } from './consuming/hostile-input.js'
import { SharesAVariable } from './consuming/isolated.js'
import { AdoptsTheFirstTimeOnly } from './consuming/lasting.js'
import { LeavesBatchesInside } from './consuming/outside.js'
import { WritesToTheMessage } from './consuming/own-headers.js'
import { TellsAgain } from './consuming/published-once.js'

/** For each law one consumer that breaks it, and no other. A new law asks for one. */
export const consumingDoubles: Readonly<Record<ConsumingLaw, ConsumingHalf>> = {
  carried: new KnowsLowerCaseAlone(),
  isolated: new SharesAVariable(),
  lasting: new AdoptsTheFirstTimeOnly(),
  'hostile-input': new TakesTheLastValue(),
  'own-headers': new WritesToTheMessage(),
  'applied-once': new AdoptsAgain(),
  'disabled-identity': new CannotBeDisabled(),
  'published-once': new TellsAgain(),
  outside: new LeavesBatchesInside(),
}
