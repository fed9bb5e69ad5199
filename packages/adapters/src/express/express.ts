import type { Kit } from '@waybill/core/adapter'
import { adoptRequest, type AdoptOptions } from '../node-http/adopt-request.js'
import type { IncomingRequest, ServerReply } from '../node-http/incoming-request.js'

/** Options of {@link expressWaybill}. */
export type ExpressWaybillOptions = AdoptOptions

/** A middleware of express 4 and 5. */
export type WaybillMiddleware = (
  req: IncomingRequest,
  res: ServerReply,
  next: (error?: unknown) => void,
) => void

/**
 * A middleware that adopts each request: `app.use(expressWaybill(kit))`, before anything that reads the body or makes
 * calls. It may be mounted again behind an upload parser that loses the scope; a request is adopted once.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION for an option that is none of the documented words, and for
 * `inbound: 'peer'` in production where `trust.peers` was not said.
 */
export function expressWaybill(kit: Kit, options: ExpressWaybillOptions = {}): WaybillMiddleware {
  return adoptRequest(kit, options)
}
