import type { BodyKind, Call, Reply, RouteNote } from './call.js'
import { waybillOfCaller } from './caller-waybill.js'
import { engineOf, type Engine } from './engine.js'
import { isWaybillError, WaybillError } from './errors.js'
import { publish } from './events.js'
import type { Kit } from './kit.js'
import { MAX_DEPTH } from './limits.js'
import type { CallEntry, LostPlace } from './lost-place.js'
import { formatNote, prefixNotes } from './reply-note.js'
import { remedyHere, tryCurrentRecord } from './scope.js'
import { sendable, type Send } from './send-attempt.js'
import { sentOf } from './sent.js'
import type { Destination } from './services.js'
import type { WaybillRecord } from './waybill.js'
import { ROUTE_HEADER } from './wire-names.js'

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
  /** Where the application made the call, for an adapter that performs it in a later turn: of {@link placeOfCall}. */
  readonly place?: LostPlace | undefined
}

/** All messages that one call of the client sends to one topic; {@link stampFor} gives the stamp of each. */
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

/**
 * Takes a call through the kit's interceptors to the wire. `send` is called once for each attempt, with the call as
 * the interceptors left it and with the stamp for its headers.
 * @throws the client's own error, untouched, or a WaybillError where the kit or an interceptor refused.
 */
export function performCall<Value>(
  kit: Kit,
  outgoing: OutgoingCall,
  send: Send<Value>,
): Promise<Reply<Value>> {
  // No async function: before Node 24 an AsyncLocalStorage follows each promise, and this one makes fewer.
  try {
    const engine = engineOf(kit)
    const scope = tryCurrentRecord()
    const destination = destinationOf(engine, outgoing)
    if (scope === undefined && destination.fleet) {
      engine.loss.callWithoutScope(outgoing.kind, remedyHere(), placeIn(outgoing) ?? performCall)
    }
    const call = describe(engine, outgoing, destination, scope)
    sendable(call, {
      engine,
      send,
      root: scope === undefined ? call.waybill : undefined,
      dedicatedHeaders: outgoing.kind !== 'message' || outgoing.dedicatedHeaders === true,
    })
    const started = engine.channels.settled.hasSubscribers ? performance.now() : undefined
    return pass(engine, call).then(
      (reply) => {
        settle(engine, call, started, reply.status, undefined)
        noteServed(call, scope, reply)
        return reply as Reply<Value>
      },
      (error: unknown) => {
        // An unreachable instance was tried; all else with a code of ours was refused before a byte left.
        if (isWaybillError(error) && error.code !== 'ERR_WAYBILL_UNREACHABLE')
          tellRefused(engine, call, error)
        else settle(engine, call, started, undefined, error)
        throw error
      },
    )
  } catch (error) {
    return rejected(error)
  }
}

/**
 * Where in the application this is called from, to be handed to {@link performCall} in a later turn. Undefined where nobody
 * would be told of it, as in any scope.
 * @param entry the adapter's function that the application called.
 */
export function placeOfCall(kit: Kit, entry: CallEntry): LostPlace | undefined {
  return tryCurrentRecord() === undefined ? engineOf(kit).loss.place(entry) : undefined
}

function placeIn(outgoing: OutgoingCall): LostPlace | undefined {
  return outgoing.kind === 'http' || outgoing.kind === 'rpc' ? outgoing.place : undefined
}

/** The way through the interceptors. What one of them throws instead of rejecting is the same. */
function pass(engine: Engine, call: Call): Promise<Reply> {
  try {
    refuseLoop(call)
    return Promise.resolve(engine.pipeline(call))
  } catch (error) {
    return rejected(error)
  }
}

function rejected(error: unknown): Promise<never> {
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- goes on as it was thrown
  return Promise.reject(error)
}

/** Where a call leads, and whether it is stamped. */
export function destinationOf(engine: Engine, outgoing: OutgoingCall): Destination {
  if (outgoing.kind === 'message') return engine.topics.believes(outgoing.topic) ? TOLD : LEFT
  if (outgoing.kind === 'task') return TOLD
  return outgoing.leftFleet === true ? LEFT : engine.services.resolve(outgoing.url)
}

/** Made in one go, without spreading optional members into it: it is on the way of every call. */
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
    waybill: scope ?? (called && waybillOfCaller(engine, called)) ?? engine.root(),
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

/** Messages are never refused: one that has gone round a retry topic would be poison. A task is no hop. */
export function refuseLoop(call: Call): void {
  if (call.fleet && (call.kind === 'http' || call.kind === 'rpc') && call.waybill.depth >= MAX_DEPTH) {
    throw new WaybillError('ERR_WAYBILL_LOOP', { service: call.service?.name, depth: call.waybill.depth })
  }
}

/** Tells whoever is answered by this request who served one of its calls. */
export function noteServed(call: Call, scope: WaybillRecord | undefined, reply: Pick<Reply, 'header'>): void {
  if (call.service === undefined || scope?.request().told !== true) return
  const request = scope.request()
  request.note(prefixNotes(call.service.name, reply.header(ROUTE_HEADER), request.withAddresses))
}

export function tellRefused(engine: Engine, call: Call, { code }: WaybillError): void {
  engine.ledger.counters.refused++
  if (engine.channels.refused.hasSubscribers) {
    publish('refused', { code, call: call.id, service: call.service?.name })
  }
}

/** @param started undefined where nobody listened when the call began: its duration is not known, and it is not told. */
export function settle(
  engine: Engine,
  call: Call,
  started: number | undefined,
  status: number | undefined,
  error: unknown,
): void {
  engine.ledger.counters.settled++
  if (error !== undefined) engine.ledger.counters.failed++
  if (started === undefined || !engine.channels.settled.hasSubscribers) return
  publish('settled', {
    call: call.id,
    service: call.service?.name,
    status,
    error,
    sent: error === undefined ? 'yes' : sentOf(error),
    durationMs: performance.now() - started,
  })
}
