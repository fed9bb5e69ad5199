import type * as http from 'node:http'
import type * as https from 'node:https'
import { placeOfCall, type CallEntry, type Kit } from '@waybill/core/adapter'
import { ClientCall } from './client-call.js'
import { requestArguments } from './request-arguments.js'
import { destinationOf } from './request-destination.js'

/** The members of node:http and node:https that make calls. */
export type HttpModule = Pick<typeof http | typeof https, 'request' | 'get' | 'globalAgent'>

/** Symbol.for: what another copy of the package has wrapped is not wrapped again. */
const WRAPPED: unique symbol = Symbol.for('@waybill/adapters.node-http') as never

/**
 * Wraps `node:http` or `node:https`: `request` and `get` of the wrapper carry the waybill and go where the kit's
 * interceptors send them; all else is the module's own. Wrapping a wrapper of the same kit returns it.
 */
export function httpWaybill<Module extends HttpModule>(kit: Kit, module: Module): Module {
  if (kit.disabled || (module as { [WRAPPED]?: Kit })[WRAPPED] === kit) return module
  const plain = module.request as (...args: unknown[]) => http.ClientRequest
  const open = (entry: CallEntry, args: unknown[]): http.ClientRequest => {
    if (kit.disabled) return plain(...args)
    const { options, onResponse } = requestArguments(args)
    const protocol = (module.globalAgent as { protocol?: string }).protocol ?? 'http:'
    const destination = destinationOf(options, protocol)
    if (destination === undefined) return plain(...args)
    const place = placeOfCall(kit, entry)
    return new ClientCall(
      kit,
      plain,
      options,
      destination,
      place,
      onResponse,
    ) as unknown as http.ClientRequest
  }
  const request = (...args: unknown[]): http.ClientRequest => open(request, args)
  const get = (...args: unknown[]): http.ClientRequest => {
    const call = open(get, args)
    call.end()
    return call
  }
  return Object.create(module, {
    ...Object.getOwnPropertyDescriptors({ request, get }),
    [WRAPPED]: { value: kit },
  }) as Module
}
