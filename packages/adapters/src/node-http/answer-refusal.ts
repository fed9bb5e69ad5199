import { REFUSED_HEADER, type WaybillError } from '@waybill/core/adapter'
import type { ServerReply } from './incoming-request.js'

/**
 * Answers a request that may not come in. The facts of the refusal are the operator's, not the sender's. node:http
 * takes an unread body off the connection, and closes it where the sender still waits for "100 Continue".
 */
export function answerRefusal(res: ServerReply, refusal: WaybillError): void {
  if (res.headersSent) return
  res.statusCode = refusal.status ?? 500
  res.setHeader(REFUSED_HEADER, refusal.code)
  res.setHeader('Content-Type', 'text/plain; charset=utf-8')
  res.setHeader('Cache-Control', 'no-store')
  res.end(`${refusal.code}: ${refusal.remedy}\n`)
}
