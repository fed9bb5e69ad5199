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

/** Ends a hop that is under way. */
export type AbortHop = (reason: Error) => void

/**
 * The listener of one hop, with callbacks of one of two styles: those of the built-in fetch and undici 6, which begin
 * with `onConnect`, or those of undici 8 and the interceptors of undici 7, which begin with `onRequestStart` and are
 * given a controller.
 */
export interface DispatchHandler {
  onConnect?(abort: AbortHop, context: unknown): void
  onUpgrade?(status: number, headers: unknown, socket: unknown): void
  /** Returns false where the body has to wait for `resume`. */
  onHeaders?(status: number, headers: unknown, resume: () => void, text: string): boolean
  onData?(chunk: unknown): boolean
  onComplete?(trailers: unknown): void
  onError?(error: unknown): void

  onRequestStart?(controller: HopController, context: unknown): void
  onRequestUpgrade?(controller: HopController, status: number, headers: unknown, socket: unknown): void
  onResponseStart?(controller: HopController, status: number, headers: unknown, text: string): void
  onResponseData?(controller: HopController, chunk: unknown): void
  onResponseEnd?(controller: HopController, trailers: unknown): void
  /** Without a controller where the hop has not begun. */
  onResponseError?(controller: HopController | null, error: unknown): void

  readonly onResponseStarted?: (() => void) | undefined
  readonly onBodySent?: ((...args: unknown[]) => void) | undefined
  readonly onRequestSent?: ((...args: unknown[]) => void) | undefined
}

/** What a handler of the second style steers its hop with. */
export interface HopController {
  readonly aborted: boolean
  readonly reason: unknown
  readonly paused: boolean
  readonly rawHeaders?: unknown
  readonly rawTrailers?: unknown
  pause(): void
  resume(): void
  abort(reason: Error): void
}

const GLOBAL = Symbol.for('undici.globalDispatcher.1')

/** The dispatcher that fetch uses where a call names none. */
export function globalDispatcher(): Dispatcher {
  const known = (globalThis as Record<symbol, unknown>)[GLOBAL]
  // Node loads its undici at the first look at one of the classes, and that puts the dispatcher there.
  if (known === undefined) void globalThis.Headers
  return (known ?? (globalThis as Record<symbol, unknown>)[GLOBAL]) as Dispatcher
}
