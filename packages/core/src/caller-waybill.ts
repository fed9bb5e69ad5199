import { BELIEF, PEER_BELIEF } from './belief.js'
import type { Carrier } from './carrier.js'
import type { Engine } from './engine.js'
import { Request } from './request.js'
import { WireReader } from './waybill-reader.js'
import { WaybillRecord } from './waybill.js'
import { EXPLAIN_HEADER } from './wire-names.js'

/** What a caller put on its call or message. */
export interface CallersHeaders {
  /** The name in lower case; several lines are joined by a comma. */
  headers(name: string): string | undefined
}

/**
 * The waybill of a call that is made outside of any request: there the caller's own headers count. Undefined where none
 * of them is ours; then the process sends of itself.
 */
export function waybillOfCaller(engine: Engine, callers: CallersHeaders): WaybillRecord | undefined {
  const carrier: Carrier = { origin: callers, get: (name) => callers.headers(name) }
  const said = engine.codec.names.headers.some((name) => carrier.get(name) !== undefined)
  if (!said && carrier.get('baggage') === undefined) return undefined
  const clk = engine.facts.carriesClk ? BELIEF.clk : BELIEF.nothing
  const belief = (PEER_BELIEF & ~BELIEF.clk) | clk | BELIEF.targetUnit
  const request = new Request()
  request.ask(carrier.get(EXPLAIN_HEADER) === '1', false)
  const reader = new WireReader(engine.reading, carrier, belief, undefined, engine.facts.clk)
  return WaybillRecord.unread(reader, request)
}
