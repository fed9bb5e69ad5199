import type { BodyKind, Call, RouteNote } from './call.js'
import { waybillOfCaller } from './caller-waybill.js'
import type { Engine } from './engine.js'
import type { LostPlace } from './lost-place.js'
import { formatNote } from './reply-note.js'
import { callersCountHere } from './scope.js'
import type { Destination } from './services.js'
import type { WaybillRecord } from './waybill.js'

/** What an outbound adapter translates its host's call into. */
export type OutgoingCall = OutgoingRequest | OutgoingMessage | OutgoingTask

/** A request, of whatever protocol. */
export interface OutgoingRequest {
  readonly kind: 'http' | 'rpc'
  /** The URL that the application called; absolute. */
  readonly url: URL
  readonly method: string
  /** A header that the caller put on the call; the name in lower case. Several lines are joined by a comma. */
  headers(name: string): string | undefined
  readonly body: BodyKind
  readonly idempotent: boolean
  readonly signal?: AbortSignal | undefined
  /** The call that the host's own retry or redirect repeats, where the adapter can tell. */
  readonly after?: string | undefined
  /** True for a hop of a redirect chain that has left the fleet: it carries nothing and is not routed. */
  readonly leftFleet?: boolean
  /** Where the application made the call, for an adapter that performs it in a later turn: of `placeOfCall`. */
  readonly place?: LostPlace | undefined
}

/** All messages that one call of the client sends to one topic; `stampFor` gives the stamp of each. */
export interface OutgoingMessage {
  readonly kind: 'message'
  readonly topic: string
  /** True: the dedicated headers are written beside `baggage`, for readers that know no baggage. Default false. */
  readonly dedicatedHeaders?: boolean
}

/** Work handed to another thread or process of the same service. It is no hop: its depth is the submitter's. */
export interface OutgoingTask {
  readonly kind: 'task'
  readonly signal?: AbortSignal | undefined
}

const LEFT: Destination = { service: undefined, prefix: '', fleet: false }
const TOLD: Destination = { service: undefined, prefix: '', fleet: true }

/** Where a call leads, and whether it is stamped. */
export function destinationOf(engine: Engine, outgoing: OutgoingCall): Destination {
  if (outgoing.kind === 'message') return engine.topics.believes(outgoing.topic) ? TOLD : LEFT
  if (outgoing.kind === 'task') return TOLD
  return outgoing.leftFleet === true ? LEFT : engine.services.resolve(outgoing.url)
}

/** The call as interceptors see it. Made in one go, without spreading optional members into it: it is on the way of every call. */
export function describe(
  engine: Engine,
  outgoing: OutgoingCall,
  { service, prefix, fleet }: Destination,
  scope: WaybillRecord | undefined,
): Call {
  const request = scope?.request()
  const called = outgoing.kind === 'http' || outgoing.kind === 'rpc' ? outgoing : undefined
  const call: { -readonly [Name in keyof Call]: Call[Name] } = {
    id: engine.nextCallId(),
    attempt: 1,
    kind: outgoing.kind,
    fleet,
    from: engine.facts,
    prefix,
    method: called?.method ?? (outgoing.kind === 'message' ? 'SEND' : 'RUN'),
    waybill: scope ?? callersWaybill(engine, called) ?? engine.root(),
    body: called?.body ?? 'replayable',
    idempotent: called?.idempotent ?? false,
    headers: called === undefined ? NO_HEADERS : (name) => called.headers(name),
    note(entry: RouteNote) {
      if (request?.told === true) request.note(formatNote(entry, request.withAddresses))
    },
  }
  if (called !== undefined) {
    call.url = called.url
    if (called.after !== undefined) call.after = called.after
  }
  if (outgoing.kind === 'message') call.topic = outgoing.topic
  else if (outgoing.signal !== undefined) call.signal = outgoing.signal
  if (service !== undefined) call.service = service
  return call
}

const NO_HEADERS = (): undefined => undefined

function callersWaybill(engine: Engine, called: OutgoingRequest | undefined): WaybillRecord | undefined {
  return called !== undefined && callersCountHere() ? waybillOfCaller(engine, called) : undefined
}
