import type { AbortHop, DispatchHandler, HopController } from './dispatcher.js'

/** The answer of a hop, before its handler has heard of it. */
export interface HopAnswer {
  readonly status: number
  /** A record or a flat list, as undici gives it. */
  readonly headers: unknown
  /** Tells the handler. Returns false where it wants the body to wait. */
  forward(): boolean
  /** Lets the body come. */
  resume(): void
}

/** What is heard of a hop beside its handler, which is told by `forward`. */
export interface HopWatch {
  /** There is a connection, and nothing was written yet. */
  started(abort: AbortHop, forward: () => void): void
  /** Returns false where the body has to wait for `answer.resume()`. */
  answered?(answer: HopAnswer): boolean
  /** A piece of the body. Returns false where the next has to wait. */
  received?(forward: () => boolean): boolean
  upgraded?(status: number, headers: unknown, forward: () => void): void
  ended(error: Error | undefined, forward: () => void): void
}

/** A handler of the same style that lets `watch` hear of the hop first. */
export function watchedHandler(handler: DispatchHandler, watch: HopWatch): DispatchHandler {
  return handler.onRequestStart !== undefined ? withController(handler, watch) : withCallbacks(handler, watch)
}

/** Tells a handler that its hop has failed before it began. */
export function failHop(handler: DispatchHandler, error: unknown): void {
  if (handler.onResponseError !== undefined) handler.onResponseError(null, error)
  else handler.onError?.(error)
}

function withCallbacks(handler: DispatchHandler, watch: HopWatch): DispatchHandler {
  return {
    ...passedOn(handler, ['onResponseStarted', 'onBodySent', 'onRequestSent']),
    onConnect(abort: AbortHop, context: unknown) {
      watch.started(abort, () => handler.onConnect?.(abort, context))
    },
    onUpgrade(status: number, headers: unknown, socket: unknown) {
      const forward = (): void => handler.onUpgrade?.(status, headers, socket)
      if (watch.upgraded === undefined) forward()
      else watch.upgraded(status, headers, forward)
    },
    onHeaders(status: number, headers: unknown, resume: () => void, text: string): boolean {
      const forward = (): boolean => handler.onHeaders?.(status, headers, resume, text) ?? true
      if (status < 200 || watch.answered === undefined) return forward()
      return watch.answered({ status, headers, forward, resume })
    },
    onData(chunk: unknown): boolean {
      const forward = (): boolean => handler.onData?.(chunk) ?? true
      return watch.received?.(forward) ?? forward()
    },
    onComplete(trailers: unknown) {
      watch.ended(undefined, () => handler.onComplete?.(trailers))
    },
    onError(error: Error) {
      watch.ended(error, () => handler.onError?.(error))
    },
  }
}

function withController(handler: DispatchHandler, watch: HopWatch): DispatchHandler {
  let own: OwnController | undefined
  const of = (controller: HopController): OwnController => (own ??= new OwnController(controller))
  return {
    ...passedOn(handler, ['onResponseStarted', 'onBodySent', 'onRequestSent']),
    onRequestStart(controller: HopController, context: unknown) {
      const abort = (reason: Error): void => controller.abort(reason)
      watch.started(abort, () => handler.onRequestStart?.(of(controller), context))
    },
    onRequestUpgrade(controller: HopController, status: number, headers: unknown, socket: unknown) {
      const forward = (): void => handler.onRequestUpgrade?.(of(controller), status, headers, socket)
      if (watch.upgraded === undefined) forward()
      else watch.upgraded(status, headers, forward)
    },
    onResponseStart(controller: HopController, status: number, headers: unknown, text: string) {
      const forward = (): boolean => {
        handler.onResponseStart?.(of(controller), status, headers, text)
        return !of(controller).wantsPause
      }
      if (status < 200 || watch.answered === undefined) forward()
      else if (!watch.answered({ status, headers, forward, resume: () => controller.resume() }))
        controller.pause()
    },
    onResponseData(controller: HopController, chunk: unknown) {
      const forward = (): boolean => {
        handler.onResponseData?.(of(controller), chunk)
        return !of(controller).wantsPause
      }
      if (watch.received === undefined) forward()
      else if (!watch.received(forward)) controller.pause()
    },
    onResponseEnd(controller: HopController, trailers: unknown) {
      watch.ended(undefined, () => handler.onResponseEnd?.(of(controller), trailers))
    },
    onResponseError(controller: HopController | null, error: Error) {
      watch.ended(error, () => handler.onResponseError?.(controller && of(controller), error))
    },
  }
}

/** Callbacks that tell nothing of interest here. */
function passedOn(
  handler: DispatchHandler,
  names: readonly ('onResponseStarted' | 'onBodySent' | 'onRequestSent')[],
): DispatchHandler {
  const passed: Record<string, (...args: never[]) => unknown> = {}
  for (const name of names) {
    const callback: ((...args: never[]) => unknown) | undefined = handler[name]
    if (callback !== undefined) passed[name] = (...args: never[]) => Reflect.apply(callback, handler, args)
  }
  return passed
}

/** What the handler is given as controller: an answer that is held back is paused for other reasons than its own. */
class OwnController implements HopController {
  readonly #controller: HopController
  wantsPause = false

  constructor(controller: HopController) {
    this.#controller = controller
  }

  get aborted(): boolean {
    return this.#controller.aborted
  }

  get reason(): unknown {
    return this.#controller.reason
  }

  get paused(): boolean {
    return this.#controller.paused
  }

  get rawHeaders(): unknown {
    return this.#controller.rawHeaders
  }

  get rawTrailers(): unknown {
    return this.#controller.rawTrailers
  }

  pause(): void {
    this.wantsPause = true
    this.#controller.pause()
  }

  resume(): void {
    this.wantsPause = false
    this.#controller.resume()
  }

  abort(reason: Error): void {
    this.#controller.abort(reason)
  }
}
