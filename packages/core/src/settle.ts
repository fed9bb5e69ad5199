import type { Call, Reply } from './call.js'
import type { Engine } from './engine.js'
import type { WaybillError } from './errors.js'
import { publish } from './events.js'
import { prefixNotes } from './reply-note.js'
import { sentOf } from './sent.js'
import type { WaybillRecord } from './waybill.js'
import { ROUTE_HEADER } from './wire-names.js'

/**
 * Counts and tells that a call ended, with an answer or an error.
 * @param started undefined where nobody listened when the call began: its duration is not known, and it is not told.
 */
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

/** Counts and tells that a call was refused before a byte left. */
export function tellRefused(engine: Engine, call: Call, { code }: WaybillError): void {
  engine.ledger.counters.refused++
  if (engine.channels.refused.hasSubscribers) {
    publish('refused', { code, call: call.id, service: call.service?.name })
  }
}

/** Tells whoever is answered by this request who served one of its calls. */
export function noteServed(call: Call, scope: WaybillRecord | undefined, reply: Pick<Reply, 'header'>): void {
  if (call.service === undefined || scope?.request().told !== true) return
  const request = scope.request()
  request.note(prefixNotes(call.service.name, reply.header(ROUTE_HEADER), request.withAddresses))
}
