import type { ProducingHalf, ProducingLaw } from '../message-record.js'
import { WrapsAgain } from './producing/applied-once.js'
import { KnowsTheClkAlone } from './producing/carried.js'
import { CannotBeDisabled } from './producing/disabled-identity.js'
import { KeepsTheAnswer } from './producing/faithful-call.js'
import { FillsMessages } from './producing/frozen-input.js'
import { CountsEachRound } from './producing/handed-on.js'
import { RemovesNothing } from './producing/hostile-input.js'
import { ReadsTheScope } from './producing/interceptor-order.js'
import { SharesACall } from './producing/isolated.js'
import { GivesUpAfterAnError } from './producing/lasting.js'
import { TidiesHeaders } from './producing/own-headers.js'
import { RepeatsInSecret } from './producing/published-once.js'

/** For each law one producer that breaks it, and no other. A new law asks for one. */
export const producingDoubles: Readonly<Record<ProducingLaw, ProducingHalf>> = {
  carried: new KnowsTheClkAlone(),
  isolated: new SharesACall(),
  lasting: new GivesUpAfterAnError(),
  'hostile-input': new RemovesNothing(),
  'own-headers': new TidiesHeaders(),
  'frozen-input': new FillsMessages(),
  'applied-once': new WrapsAgain(),
  'disabled-identity': new CannotBeDisabled(),
  'published-once': new RepeatsInSecret(),
  'interceptor-order': new ReadsTheScope(),
  'faithful-call': new KeepsTheAnswer(),
  'handed-on': new CountsEachRound(),
}
