import type { InboundHalf, InboundLaw, OutboundHalf, OutboundLaw } from './adapter-record.js'
import type { Law } from './law.js'

/** What holds for every adapter that takes requests in. */
export const inboundLaws: readonly Law<InboundLaw, InboundHalf>[] = []

/** What holds for every adapter that sends calls out. */
export const outboundLaws: readonly Law<OutboundLaw, OutboundHalf>[] = []
