import type { Call } from './call.js'
import { WaybillError } from './errors.js'
import { MAX_DEPTH } from './limits.js'

/**
 * Ends a circle of calls. Messages are never refused: one that has gone round a retry topic would be poison. A task is no hop.
 * @throws WaybillError ERR_WAYBILL_LOOP
 */
export function refuseLoop(call: Call): void {
  if (call.fleet && (call.kind === 'http' || call.kind === 'rpc') && call.waybill.depth >= MAX_DEPTH) {
    throw new WaybillError('ERR_WAYBILL_LOOP', { service: call.service?.name, depth: call.waybill.depth })
  }
}
