export {
  adopt,
  currentOrigin,
  expectArrivals,
  isAdopted,
  readArrival,
  refusalOf,
  takesOver,
  type Adopted,
} from './adopt.js'
export type { Arrival } from './inbound-rules.js'
export { requestOrigin } from './request-origin.js'
export { listenerInbound } from './listener-inbound.js'
export { edgeVary } from './edge-vary.js'
export type { Inbound, PeerSocket } from './trust.js'
export type { NoteSink, Seam } from './request.js'
export { appendNotes } from './reply-note.js'

export { performCall, placeOfCall } from './perform-call.js'
export type { OutgoingCall, OutgoingMessage, OutgoingRequest, OutgoingTask } from './outgoing-call.js'
export { carryCall, openCallSeam, type CarriedCall } from './carry-call.js'
export { stampFor, type Send } from './send-attempt.js'
export type { Stamp } from './stamp.js'
export type { HeaderPair } from './codec.js'
export { sentOf, type Sent } from './sent.js'
export { isIdempotentMethod, isSafeMethod } from './method.js'

export type {
  AdmittedArrival,
  AnswerPieces,
  BodyKind,
  Call,
  CallKind,
  Interceptor,
  Next,
  ParentLine,
  Reply,
  RouteNote,
  Target,
  TargetInstance,
  ThreadShare,
} from './call.js'
export type { ServicePolicy, ServiceSettings } from './services.js'
export type { Environment, Facts } from './facts.js'
export { baselineMark } from './baseline-mark.js'
export type { DetachedOptions, Kit } from './kit.js'
export { threadCounters } from './thread-counters.js'
export { optionsOf, threadKit } from './thread-kit.js'
export { threadSecret } from './hand-shake.js'
export type { Waybill } from './waybill.js'

export { installTracer, type Tracer } from './tracer.js'
export { baggageBeside, baggageWith, siftBaggage, type SiftedBaggage } from './thread-baggage.js'

export { carrierOf, HttpCarrier, type Carrier, type CarrierValue } from './carrier.js'
export { parseCellName, parseClk, parseClkPattern, servesTag, tagOf } from './tag.js'
export { checkArgument, checkOptions, described } from './check-argument.js'
export { printableText } from './printable-text.js'
export { REFUSED_HEADER, ROUTE_HEADER } from './wire-names.js'
export { systemClock, type Clock } from './clock.js'
export { hasSubscribers, publish, type EventName, type WaybillEvents } from './events.js'
export { isWaybillError, WaybillError, type ErrorCode, type ErrorFacts } from './errors.js'
export { tryCurrentWaybill, runOutside, runWithWaybill, installScopeStore, type ScopeStore } from './scope.js'
export { LossReporter } from './loss-reporter.js'
export type { CallEntry, LostPlace } from './lost-place.js'
