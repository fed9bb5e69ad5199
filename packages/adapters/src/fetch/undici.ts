import type { Kit } from '@waybill/core/adapter'
import type { DispatchHandler, DispatchOptions, Dispatcher } from '../node-http/dispatcher.js'
import { isStamped, newChain, sendHop, type Chain } from './hop.js'

/** An interceptor as `compose` of undici 6 to 8 takes it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type UndiciInterceptor = (dispatch: any) => (options: any, handler: any) => boolean

/**
 * An interceptor for undici's `compose`: `new Agent().compose(undiciWaybill(kit), interceptors.redirect())`. It comes
 * first, which in undici is innermost, so that it sees each hop of a redirect. Where it does not, redirects inside of it
 * are not followed: they would hand its headers on to any host. Redirects come next to it, so that their chain is known.
 */
export function undiciWaybill(kit: Kit): UndiciInterceptor {
  // undici's redirect and retry handlers dispatch again as their own handler: that is how a chain is known.
  const chains = new WeakMap<DispatchHandler, Chain>()
  return (dispatch: Dispatcher['dispatch']) => (options: DispatchOptions, handler: DispatchHandler) => {
    if (kit.disabled || isStamped(options, kit)) return dispatch(options, handler)
    let chain = chains.get(handler)
    if (chain === undefined) chains.set(handler, (chain = newChain()))
    void sendHop(kit, chain, { dispatch }, { ...options, maxRedirections: 0 }, handler)
    return true
  }
}
