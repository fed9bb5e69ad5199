import type { InboundHalf, InboundLaw, OutboundHalf, OutboundLaw } from './adapter-record.js'
import type { Law } from './law.js'
import { admission } from './laws/inbound/admission.js'
import { appliedOnce as inboundAppliedOnce } from './laws/inbound/applied-once.js'
import { carried as inboundCarried } from './laws/inbound/carried.js'
import { disabledIdentity as inboundDisabledIdentity } from './laws/inbound/disabled-identity.js'
import { hostileInput as inboundHostileInput } from './laws/inbound/hostile-input.js'
import { isolated as inboundIsolated } from './laws/inbound/isolated.js'
import { lasting as inboundLasting } from './laws/inbound/lasting.js'
import { ownHeaders as inboundOwnHeaders } from './laws/inbound/own-headers.js'
import { publishedOnce as inboundPublishedOnce } from './laws/inbound/published-once.js'
import { toldReply } from './laws/inbound/told-reply.js'
import { appliedOnce } from './laws/outbound/applied-once.js'
import { carried } from './laws/outbound/carried.js'
import { connectionPerTarget } from './laws/outbound/connection-per-target.js'
import { disabledIdentity } from './laws/outbound/disabled-identity.js'
import { faithfulCall } from './laws/outbound/faithful-call.js'
import { frozenInput } from './laws/outbound/frozen-input.js'
import { hostileInput } from './laws/outbound/hostile-input.js'
import { interceptorOrder } from './laws/outbound/interceptor-order.js'
import { isolated } from './laws/outbound/isolated.js'
import { lasting } from './laws/outbound/lasting.js'
import { ownHeaders } from './laws/outbound/own-headers.js'
import { publishedOnce } from './laws/outbound/published-once.js'
import { targetOnly } from './laws/outbound/target-only.js'

/** What holds for every adapter that takes requests in. */
export const inboundLaws: readonly Law<InboundLaw, InboundHalf>[] = [
  inboundCarried,
  inboundIsolated,
  inboundLasting,
  inboundHostileInput,
  inboundOwnHeaders,
  inboundAppliedOnce,
  inboundDisabledIdentity,
  inboundPublishedOnce,
  admission,
  toldReply,
]

/** What holds for every adapter that sends calls out. */
export const outboundLaws: readonly Law<OutboundLaw, OutboundHalf>[] = [
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
  targetOnly,
  connectionPerTarget,
]
