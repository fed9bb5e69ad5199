export { adapterLaws } from './adapter-laws.js'
export { processLaws } from './process-laws.js'
export { deepFreeze } from './deep-freeze.js'
export { everyInboundLaw, everyOutboundLaw } from './every-law.js'
export type { Answer, Answers, No } from './answer.js'
export type {
  AdapterRecord,
  InboundHalf,
  InboundHop,
  InboundLaw,
  InboundOpening,
  OutboundHalf,
  OutboundHop,
  OutboundLaw,
  OutboundOpening,
  OutboundReply,
  OutboundRequest,
} from './adapter-record.js'
export type { AdapterKind, SharedLaw } from './opening.js'
export type { ProcessRecord } from './process-record.js'
