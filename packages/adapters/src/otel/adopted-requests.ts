import type { Context } from '@opentelemetry/api'
import { currentOrigin, tryCurrentWaybill, type Waybill } from '@waybill/core/adapter'
import { serverRequestIn, type ServerRequest } from './server-request.js'

/** With what a request was adopted, and what stands for it. */
interface AdoptedRequest {
  readonly waybill: Waybill
  readonly origin: object | undefined
}

const requests = new WeakMap<ServerRequest, AdoptedRequest>()

/**
 * Remembers the current waybill as the one with which the request was adopted that this context belongs to. OpenTelemetry
 * binds the events of a request and of its reply to the context that there was before, which would hide the scope from
 * their listeners. A listener may take over what a seam has adopted, and believe less: the last one counts. One that
 * adopts another request in the course of this one does not.
 */
export function rememberAdopted(held: Context): void {
  const request = serverRequestIn(held)
  const waybill = tryCurrentWaybill()
  if (request === undefined || waybill === undefined) return
  const origin = currentOrigin()
  const known = requests.get(request)
  if (known === undefined || known.origin === origin) requests.set(request, { waybill, origin })
}

/** The waybill of the request that a context belongs to, if that was adopted. */
export function adoptedIn(held: Context): Waybill | undefined {
  const request = serverRequestIn(held)
  return request && requests.get(request)?.waybill
}
