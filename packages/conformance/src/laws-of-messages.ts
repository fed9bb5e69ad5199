import type { Law } from './law.js'
import { appliedOnce as consumingAppliedOnce } from './laws/consuming/applied-once.js'
import { carried as consumingCarried } from './laws/consuming/carried.js'
import { disabledIdentity as consumingDisabledIdentity } from './laws/consuming/disabled-identity.js'
import { hostileInput as consumingHostileInput } from './laws/consuming/hostile-input.js'
import { isolated as consumingIsolated } from './laws/consuming/isolated.js'
import { lasting as consumingLasting } from './laws/consuming/lasting.js'
import { outside } from './laws/consuming/outside.js'
import { ownHeaders as consumingOwnHeaders } from './laws/consuming/own-headers.js'
import { publishedOnce as consumingPublishedOnce } from './laws/consuming/published-once.js'
import { appliedOnce } from './laws/producing/applied-once.js'
import { carried } from './laws/producing/carried.js'
import { disabledIdentity } from './laws/producing/disabled-identity.js'
import { faithfulCall } from './laws/producing/faithful-call.js'
import { frozenInput } from './laws/producing/frozen-input.js'
import { handedOn } from './laws/producing/handed-on.js'
import { hostileInput } from './laws/producing/hostile-input.js'
import { interceptorOrder } from './laws/producing/interceptor-order.js'
import { isolated } from './laws/producing/isolated.js'
import { lasting } from './laws/producing/lasting.js'
import { ownHeaders } from './laws/producing/own-headers.js'
import { publishedOnce } from './laws/producing/published-once.js'
import type { ConsumingHalf, ConsumingLaw, ProducingHalf, ProducingLaw } from './message-record.js'

/** What holds for every adapter that sends messages. */
export const producingLaws: readonly Law<ProducingLaw, ProducingHalf>[] = [
  carried,
  isolated,
  lasting,
  hostileInput,
  ownHeaders,
  frozenInput,
  appliedOnce,
  disabledIdentity,
  publishedOnce,
  interceptorOrder,
  faithfulCall,
  handedOn,
]

/** What holds for every adapter that hands messages to an application. */
export const consumingLaws: readonly Law<ConsumingLaw, ConsumingHalf>[] = [
  consumingCarried,
  consumingIsolated,
  consumingLasting,
  consumingHostileInput,
  consumingOwnHeaders,
  consumingAppliedOnce,
  consumingDisabledIdentity,
  consumingPublishedOnce,
  outside,
]
