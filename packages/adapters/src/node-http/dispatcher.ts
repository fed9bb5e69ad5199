/** What undici and the built-in fetch send with: called once for each network hop. */
export interface Dispatcher {
  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean
}

/** One network hop, as undici describes it. What is not named here goes on untouched. */
export interface DispatchOptions {
  readonly [option: string]: unknown
  readonly origin?: string | URL
  readonly path: string
  readonly method: string
  readonly headers?: unknown
  readonly body?: unknown
}

/**
 * The listener of one hop, with callbacks of one of two styles: `onConnect`, `onHeaders`, `onComplete`, `onError` (undici
 * 6 and the built-in fetch), or `onRequestStart`, `onResponseStart`, … with a controller (interceptors of undici 7).
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type DispatchHandler = Record<string, any>

const GLOBAL = Symbol.for('undici.globalDispatcher.1')

/** The dispatcher that fetch uses where a call names none. */
export function globalDispatcher(): Dispatcher {
  const known = (globalThis as Record<symbol, unknown>)[GLOBAL]
  // Node loads its undici at the first look at one of the classes, and that puts the dispatcher there.
  if (known === undefined) void globalThis.Headers
  return (known ?? (globalThis as Record<symbol, unknown>)[GLOBAL]) as Dispatcher
}
