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
  /** All else that the handler hears of: an interim answer, or what was sent of the request. */
  progressed?<Result>(forward: () => Result): Result
}

/** A handler of the same style that lets `watch` hear of the hop first. */
export function watchedHandler(handler: DispatchHandler, watch: HopWatch): DispatchHandler {
  return handler.onRequestStart !== undefined
    ? new WatchedWithController(handler, watch)
    : new WatchedWithCallbacks(handler, watch)
}

/** Tells a handler that its hop has failed before it began. */
export function failHop(handler: DispatchHandler, error: unknown): void {
  if (handler.onResponseError !== undefined) handler.onResponseError(null, error)
  else handler.onError?.(error)
}

/** Symbol.for: what one copy of the package watches is known to the others. */
const WATCHED = Symbol.for('@waybill/adapters.watched-handler')

/** True for the handler of a hop that an adapter sends. */
export function isWatched(handler: unknown): boolean {
  return typeof handler === 'object' && handler !== null && WATCHED in handler
}

/** What both styles have. Classes, since one is made for each hop: an object of closures costs ten allocations. */
abstract class WatchedHandler implements DispatchHandler {
  protected readonly handler: DispatchHandler
  protected readonly watch: HopWatch

  static {
    Object.defineProperty(this.prototype, WATCHED, { value: true })
  }

  constructor(handler: DispatchHandler, watch: HopWatch) {
    this.handler = handler
    this.watch = watch
  }

  onResponseStarted(): void {
    if (this.handler.onResponseStarted !== undefined)
      this.progressed(() => this.handler.onResponseStarted?.())
  }

  onBodySent(...args: unknown[]): void {
    if (this.handler.onBodySent !== undefined) this.progressed(() => this.handler.onBodySent?.(...args))
  }

  onRequestSent(...args: unknown[]): void {
    if (this.handler.onRequestSent !== undefined) this.progressed(() => this.handler.onRequestSent?.(...args))
  }

  protected progressed<Result>(forward: () => Result): Result {
    return this.watch.progressed === undefined ? forward() : this.watch.progressed(forward)
  }
}

class WatchedWithCallbacks extends WatchedHandler {
  onConnect(abort: AbortHop, context: unknown): void {
    this.watch.started(abort, () => this.handler.onConnect?.(abort, context))
  }

  onUpgrade(status: number, headers: unknown, socket: unknown): void {
    const forward = (): void => this.handler.onUpgrade?.(status, headers, socket)
    if (this.watch.upgraded === undefined) forward()
    else this.watch.upgraded(status, headers, forward)
  }

  onHeaders(status: number, headers: unknown, resume: () => void, text: string): boolean {
    const forward = (): boolean => this.handler.onHeaders?.(status, headers, resume, text) ?? true
    if (status < 200 || this.watch.answered === undefined) return this.progressed(forward)
    return this.watch.answered({ status, headers, forward, resume })
  }

  onData(chunk: unknown): boolean {
    const forward = (): boolean => this.handler.onData?.(chunk) ?? true
    return this.watch.received?.(forward) ?? forward()
  }

  onComplete(trailers: unknown): void {
    this.watch.ended(undefined, () => this.handler.onComplete?.(trailers))
  }

  onError(error: Error): void {
    this.watch.ended(error, () => this.handler.onError?.(error))
  }
}

class WatchedWithController extends WatchedHandler {
  #own: OwnController | undefined

  onRequestStart(controller: HopController, context: unknown): void {
    const abort = (reason: Error): void => controller.abort(reason)
    this.watch.started(abort, () => this.handler.onRequestStart?.(this.#of(controller), context))
  }

  onRequestUpgrade(controller: HopController, status: number, headers: unknown, socket: unknown): void {
    const forward = (): void => this.handler.onRequestUpgrade?.(this.#of(controller), status, headers, socket)
    if (this.watch.upgraded === undefined) forward()
    else this.watch.upgraded(status, headers, forward)
  }

  onResponseStart(controller: HopController, status: number, headers: unknown, text: string): void {
    const forward = (): boolean => {
      this.handler.onResponseStart?.(this.#of(controller), status, headers, text)
      return !this.#of(controller).wantsPause
    }
    if (status < 200 || this.watch.answered === undefined) this.progressed(forward)
    else if (!this.watch.answered({ status, headers, forward, resume: () => controller.resume() }))
      controller.pause()
  }

  onResponseData(controller: HopController, chunk: unknown): void {
    const forward = (): boolean => {
      this.handler.onResponseData?.(this.#of(controller), chunk)
      return !this.#of(controller).wantsPause
    }
    if (this.watch.received === undefined) forward()
    else if (!this.watch.received(forward)) controller.pause()
  }

  onResponseEnd(controller: HopController, trailers: unknown): void {
    this.watch.ended(undefined, () => this.handler.onResponseEnd?.(this.#of(controller), trailers))
  }

  onResponseError(controller: HopController | null, error: Error): void {
    this.watch.ended(error, () => this.handler.onResponseError?.(controller && this.#of(controller), error))
  }

  #of(controller: HopController): OwnController {
    return (this.#own ??= new OwnController(controller))
  }
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
