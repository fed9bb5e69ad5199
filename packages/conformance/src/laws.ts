import type { InboundHalf, InboundLaw, OutboundHalf, OutboundLaw } from './adapter-record.js'
import type { Law } from './law.js'
import { carried as carriedIn } from './laws/inbound/carried.js'
import { isolated as isolatedIn } from './laws/inbound/isolated.js'
import { carried as carriedOut } from './laws/outbound/carried.js'
import { isolated as isolatedOut } from './laws/outbound/isolated.js'

/** What holds for every adapter that takes requests in. */
export const inboundLaws: readonly Law<InboundLaw, InboundHalf>[] = [carriedIn, isolatedIn]

/** What holds for every adapter that sends calls out. */
export const outboundLaws: readonly Law<OutboundLaw, OutboundHalf>[] = [carriedOut, isolatedOut]
