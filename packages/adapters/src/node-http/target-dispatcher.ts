import type { Target } from '@waybill/core/adapter'
import { unreachable } from './connection.js'

/** What undici and the built-in fetch ask to send: one network hop each time. */
export interface Dispatching {
  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean
}

/** One network hop, as undici describes it. */
export interface DispatchOptions {
  readonly [option: string]: unknown
  readonly origin?: string | URL
  readonly path: string
  readonly method: string
  readonly headers?: unknown
}

/** The listener of one hop. Only what is known here is named; everything goes on to it. */
export interface DispatchHandler {
  [callback: string]: unknown
}

/** The dispatcher that fetch uses where a call names none. */
export function globalDispatcher(): Dispatching {
  // Node loads its undici at the first use of one of these, and that puts the dispatcher there.
  void globalThis.Headers
  return (globalThis as unknown as Record<symbol, Dispatching>)[
    Symbol.for('undici.globalDispatcher.1')
  ] as Dispatching
}

/** A dispatcher that sends each hop to `target` by way of another one, whose TLS options and limits it uses. */
export function targetDispatcher(target: Target, by?: Dispatching): Dispatching {
  return {
    dispatch: (options, handler) => (by ?? globalDispatcher()).dispatch(options, handler),
  }
}
