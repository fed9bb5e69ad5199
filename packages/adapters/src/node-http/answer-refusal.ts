import { REFUSED_HEADER, type WaybillError } from '@waybill/core/adapter'
import type { IncomingRequest, ServerReply } from './incoming-request.js'

/** Answers a request that may not come in. The facts of the refusal are the operator's, not the sender's. */
export function answerRefusal(req: IncomingRequest, res: ServerReply, refusal: WaybillError): void {
  if (res.headersSent) return
  res.statusCode = refusal.status ?? 500
  res.setHeader(REFUSED_HEADER, refusal.code)
  res.setHeader('Content-Type', 'text/plain; charset=utf-8')
  res.setHeader('Cache-Control', 'no-store')
  // A sender that waits for "100 Continue" may never send the body that it announced; the next request on this
  // connection would be read in its place. Any other unread body is taken off the connection by node:http.
  if (req.headers.expect !== undefined && req.httpVersionMajor === 1) res.setHeader('Connection', 'close')
  res.end(`${refusal.code}: ${refusal.remedy}\n`)
}
