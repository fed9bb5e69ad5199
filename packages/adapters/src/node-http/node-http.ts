import type { RequestListener } from 'node:http'
import type { Kit } from '@waybill/core/adapter'
import { adoptRequest, type AdoptOptions } from './adopt-request.js'
import { handsOn } from './hands-on.js'
import type { IncomingRequest, ServerReply } from './incoming-request.js'

/**
 * A request listener around the application's: adopts each request before any framework sees it.
 * `http.createServer(waybillListener(kit, app))`, or `server.on('request', …)`.
 * @param listener the application's: a function, an express or connect app.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION for an option that is none of the documented words, and for
 * `inbound: 'peer'` in production where `trust.peers` was not said.
 */
export function waybillListener(kit: Kit, listener: RequestListener, options?: AdoptOptions): RequestListener
/** The same for other classes of request and reply, such as those of http2's compatible API. */
export function waybillListener<Req extends IncomingRequest, Res extends ServerReply>(
  kit: Kit,
  listener: (req: Req, res: Res) => unknown,
  options?: AdoptOptions,
): (req: Req, res: Res) => void
export function waybillListener<Req extends IncomingRequest, Res extends ServerReply>(
  kit: Kit,
  listener: (req: Req, res: Res) => unknown,
  options: AdoptOptions = {},
): (req: Req, res: Res) => void {
  const adopt = adoptRequest(kit, options)
  const adopting = (req: Req, res: Res): void => {
    adopt(req, res, () => {
      listener(req, res)
    })
  }
  return handsOn(adopting, listener)
}
