import { checkArgument, placeOfCall, type Kit, type LostPlace } from '@waybill/core/adapter'
import type { DispatchHandler, DispatchOptions, Dispatcher } from '../node-http/dispatcher.js'
import { DispatcherInFront, fetchBy } from '../node-http/fetch-by.js'
import { newChain, sendHop, type Chain } from './hop.js'

/** A fetch: the built-in one, undici's, or a function in front of one of them that hands `init` on. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type FetchLike = (input: any, init?: any) => Promise<any>

/** Symbol.for: what another copy of the package has wrapped is not wrapped again. */
const WRAPPED: unique symbol = Symbol.for('@waybill/adapters.fetch') as never

const CALL = 'fetchWaybill(kit, fetch)'

/**
 * Wraps a fetch: calls of the wrapper carry the waybill and go where the kit's interceptors send them. Redirects are
 * fetch's own business; each hop is judged anew. Wrapping a wrapper of the same kit returns it.
 * @param fetch default is the built-in one, as it is when it is wrapped.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION for what is no kit or no function.
 */
export function fetchWaybill(kit: Kit): typeof globalThis.fetch
export function fetchWaybill<Fetch extends FetchLike>(kit: Kit, fetch: Fetch): Fetch
export function fetchWaybill(kit: Kit, fetch: FetchLike = globalThis.fetch): FetchLike {
  checkArgument(CALL, 'kit', kit, 'kit')
  checkArgument(CALL, 'fetch', fetch, 'function')
  if (kit.disabled || (fetch as { [WRAPPED]?: Kit })[WRAPPED] === kit) return fetch
  const wrapper: FetchLike = (input, init) => {
    if (kit.disabled) return fetch(input, init)
    // The hops of a redirect are dispatched in later turns, when the caller is on no stack any more.
    const place = placeOfCall(kit, wrapper)
    return fetchBy(fetch, input, init, (named) => new ChainDispatcher(kit, named, place))
  }
  return Object.defineProperty(wrapper, WRAPPED, { value: kit })
}

/** Sends the hops of one call through the kit. */
class ChainDispatcher extends DispatcherInFront {
  readonly #kit: Kit
  readonly #chain: Chain

  constructor(kit: Kit, named: Dispatcher | undefined, place: LostPlace | undefined) {
    super(named)
    this.#kit = kit
    this.#chain = newChain(place)
  }

  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean {
    void sendHop(this.#kit, this.#chain, this.behind, options, handler)
    return true
  }
}
