import type { Context } from '@opentelemetry/api'
import { tryCurrentWaybill, type Waybill } from '@waybill/core/adapter'
import { serverRequestIn, type ServerRequest } from './server-request.js'

const waybills = new WeakMap<ServerRequest, Waybill>()

/**
 * Remembers the current waybill as the one with which the request was adopted that this context belongs to. OpenTelemetry
 * binds the events of a request and of its reply to the context that there was before, which would hide the scope from
 * their listeners.
 */
export function rememberAdopted(held: Context): void {
  const request = serverRequestIn(held)
  const waybill = tryCurrentWaybill()
  if (request !== undefined && waybill !== undefined && !waybills.has(request)) waybills.set(request, waybill)
}

/** The waybill of the request that a context belongs to, if that was adopted. */
export function adoptedIn(held: Context): Waybill | undefined {
  const request = serverRequestIn(held)
  return request && waybills.get(request)
}
