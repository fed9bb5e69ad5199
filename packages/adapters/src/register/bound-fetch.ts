import { AsyncResource } from 'node:async_hooks'
import type { DispatchHandler, DispatchOptions } from '../node-http/dispatcher.js'
import { DispatcherInFront, fetchBy } from '../node-http/fetch-by.js'
import type { KitOf } from './register.js'
import { replaceFunction } from './replace-function.js'

type Fetch = (input: unknown, init?: unknown) => Promise<unknown>

/** Who has made a call of fetch, and what became of it so far. */
export interface Caller {
  /** The context in which it was made. */
  readonly context: AsyncResource
  /** True once a hop of its redirects has left the fleet. */
  leftFleet: boolean
}

const callers = new WeakMap<object, Caller>()

/** Who has dispatched the hop with this handler; undefined where it is not known. */
export function callerOf(handler: object | undefined): Caller | undefined {
  return handler && callers.get(handler)
}

/**
 * Lets undici's channel know who has made a call of the global fetch, and which hops of redirects belong together: a pool with a
 * limit of connections makes the request later, in the scope of whoever has freed one.
 * @returns an undo.
 */
export function bindFetch(kitOf: KitOf): () => void {
  const plain = globalThis.fetch as unknown as Fetch | undefined
  // Node has none where it is told so by a flag.
  if (plain === undefined) return () => {}
  const fetch: Fetch = (input, init) => {
    const kit = kitOf()
    if (kit === undefined || kit.disabled) return plain(input, init)
    return fetchBy(plain, input, init, (named) => new CallersDispatcher(named))
  }
  return replaceFunction(globalThis, 'fetch', fetch)
}

/** Hands each hop of one call on, and remembers whose it is. */
class CallersDispatcher extends DispatcherInFront implements Caller {
  readonly context = new AsyncResource('WaybillCall')
  leftFleet = false

  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean {
    callers.set(handler, this)
    return this.behind.dispatch(options, handler)
  }
}
