import type { InboundHalf, InboundLaw, OutboundHalf, OutboundLaw } from '../adapter-record.js'
import { LetsEverybodyIn } from './inbound/admission.js'
import { AdoptsAgain } from './inbound/applied-once.js'
import { ForgetsTheUrl } from './inbound/carried.js'
import { PreparesAlways } from './inbound/disabled-identity.js'
import { TakesTheLastLine } from './inbound/hostile-input.js'
import { SharesAVariable } from './inbound/isolated.js'
import { LeavesEventsOut } from './inbound/lasting.js'
import { WritesToTheRequest } from './inbound/own-headers.js'
import { TellsAgain } from './inbound/published-once.js'
import { SpeaksTooEarly } from './inbound/told-reply.js'
import { WrapsAgain } from './outbound/applied-once.js'
import { KnowsThreeHeaders } from './outbound/carried.js'
import { SharesConnections } from './outbound/connection-per-target.js'
import { CannotBeDisabled } from './outbound/disabled-identity.js'
import { OverlooksBodies } from './outbound/faithful-call.js'
import { TidiesOptions } from './outbound/frozen-input.js'
import { RemovesNothing } from './outbound/hostile-input.js'
import { ReadsTheScope } from './outbound/interceptor-order.js'
import { SharesAStamp } from './outbound/isolated.js'
import { SendsFromElsewhere } from './outbound/lasting.js'
import { DropsCredentials } from './outbound/own-headers.js'
import { RepeatsInSecret } from './outbound/published-once.js'
import { RewritesTheUrl } from './outbound/target-only.js'

/** For each law one adapter that breaks it, and no other. A new law asks for one. */
export const inboundDoubles: Readonly<Record<InboundLaw, InboundHalf>> = {
  carried: new ForgetsTheUrl(),
  isolated: new SharesAVariable(),
  lasting: new LeavesEventsOut(),
  'hostile-input': new TakesTheLastLine(),
  'own-headers': new WritesToTheRequest(),
  'applied-once': new AdoptsAgain(),
  'disabled-identity': new PreparesAlways(),
  'published-once': new TellsAgain(),
  admission: new LetsEverybodyIn(),
  'told-reply': new SpeaksTooEarly(),
}

/** Likewise for calls. */
export const outboundDoubles: Readonly<Record<OutboundLaw, OutboundHalf>> = {
  carried: new KnowsThreeHeaders(),
  isolated: new SharesAStamp(),
  lasting: new SendsFromElsewhere(),
  'hostile-input': new RemovesNothing(),
  'own-headers': new DropsCredentials(),
  'frozen-input': new TidiesOptions(),
  'applied-once': new WrapsAgain(),
  'disabled-identity': new CannotBeDisabled(),
  'published-once': new RepeatsInSecret(),
  'interceptor-order': new ReadsTheScope(),
  'faithful-call': new OverlooksBodies(),
  'target-only': new RewritesTheUrl(),
  'connection-per-target': new SharesConnections(),
}
