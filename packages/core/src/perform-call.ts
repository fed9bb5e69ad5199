import { BELIEF, PEER_BELIEF } from './belief.js'
import type { BodyKind, Call, CallKind, Reply, RouteNote } from './call.js'
import type { Carrier } from './carrier.js'
import { engineOf, type Engine } from './engine.js'
import { isWaybillError, WaybillError } from './errors.js'
import { publish } from './events.js'
import type { Kit } from './kit.js'
import { MAX_DEPTH } from './limits.js'
import { formatNote, prefixNotes } from './reply-note.js'
import { Request } from './request.js'
import { tryCurrentRecord } from './scope.js'
import { sendable, type Send } from './send-attempt.js'
import { sentOf } from './sent.js'
import type { Destination } from './services.js'
import { WireReader } from './waybill-reader.js'
import { WaybillRecord } from './waybill.js'
import { EXPLAIN_HEADER, ROUTE_HEADER } from './wire-names.js'

/** What an outbound adapter translates its host's call into. */
export interface OutgoingCall {
  readonly kind: CallKind
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
}

const LEFT: Destination = { service: undefined, prefix: '', fleet: false }

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
    const destination = outgoing.leftFleet === true ? LEFT : engine.services.resolve(outgoing.url)
    if (scope === undefined && destination.fleet) engine.loss.callWithoutScope(outgoing.kind)
    const call = describe(engine, outgoing, destination, scope, send)
    const started = engine.channels.settled.hasSubscribers ? performance.now() : undefined
    return pass(engine, call).then(
      (reply) => {
        settle(engine, call, started, reply.status, undefined)
        if (call.service !== undefined && scope?.request().told === true) {
          const request = scope.request()
          request.note(prefixNotes(call.service.name, reply.header(ROUTE_HEADER), request.withAddresses))
        }
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

/** Made in one go, without spreading optional members into it: it is on the way of every call. */
function describe<Value>(
  engine: Engine,
  outgoing: OutgoingCall,
  { service, prefix, fleet }: Destination,
  scope: WaybillRecord | undefined,
  send: Send<Value>,
): Call {
  const request = scope?.request()
  const call: { -readonly [Name in keyof Call]: Call[Name] } = {
    id: engine.nextCallId(),
    attempt: 1,
    kind: outgoing.kind,
    fleet,
    from: engine.facts,
    url: outgoing.url,
    prefix,
    method: outgoing.method,
    waybill: scope ?? waybillOfCaller(engine, outgoing),
    body: outgoing.body,
    idempotent: outgoing.idempotent,
    headers: (name) => outgoing.headers(name),
    note(entry: RouteNote) {
      if (request?.told === true) request.note(formatNote(entry, request.withAddresses))
    },
  }
  if (service !== undefined) call.service = service
  if (outgoing.signal !== undefined) call.signal = outgoing.signal
  if (outgoing.after !== undefined) call.after = outgoing.after
  return sendable(call, engine, send)
}

/** Outside of any request the caller's own headers count; without them the process sends of itself. */
function waybillOfCaller(engine: Engine, outgoing: OutgoingCall): WaybillRecord {
  const carrier: Carrier = { origin: outgoing, get: (name) => outgoing.headers(name) }
  const said = engine.codec.names.headers.some((name) => carrier.get(name) !== undefined)
  if (!said && carrier.get('baggage') === undefined) return engine.root()
  const clk = engine.facts.carriesClk ? BELIEF.clk : BELIEF.nothing
  const belief = (PEER_BELIEF & ~BELIEF.clk) | clk | BELIEF.targetUnit
  const request = new Request()
  request.ask(carrier.get(EXPLAIN_HEADER) === '1', false)
  const reader = new WireReader(engine.reading, carrier, belief, undefined, engine.facts.clk)
  return WaybillRecord.unread(reader, request)
}

/** Messages are never refused: one that has gone round a retry topic would be poison. */
function refuseLoop(call: Call): void {
  if (call.fleet && call.kind !== 'message' && call.waybill.depth >= MAX_DEPTH) {
    throw new WaybillError('ERR_WAYBILL_LOOP', { service: call.service?.name, depth: call.waybill.depth })
  }
}

function tellRefused(engine: Engine, call: Call, { code }: WaybillError): void {
  engine.ledger.counters.refused++
  if (engine.channels.refused.hasSubscribers) {
    publish('refused', { code, call: call.id, service: call.service?.name })
  }
}

/** @param started undefined where nobody listened when the call began: its duration is not known, and it is not told. */
function settle(
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
