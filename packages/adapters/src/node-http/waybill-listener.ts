import type { Kit } from '@waybill/core/adapter'
import { adoptRequest, type AdoptOptions } from './adopt-request.js'
import type { IncomingRequest, ServerReply } from './incoming-request.js'

/**
 * A request listener around the application's: adopts each request before any framework sees it.
 * `http.createServer(waybillListener(kit, app))`, or `server.on('request', …)`.
 * @param listener the application's: a function, an express or connect app.
 */
export function waybillListener<Req extends IncomingRequest, Res extends ServerReply>(
  kit: Kit,
  listener: (req: Req, res: Res) => unknown,
  options: AdoptOptions = {},
): (req: Req, res: Res) => void {
  const adopt = adoptRequest(kit, options)
  return (req, res) => {
    adopt(req, res, () => {
      listener(req, res)
    })
  }
}
