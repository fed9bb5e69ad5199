import type { Reply } from '@waybill/core/adapter'
import type { AbortHop, DispatchHandler, DispatchOptions, Dispatcher } from '../node-http/dispatcher.js'
import { headerLines, type HeaderLines } from '../node-http/header-lines.js'
import { watchedHandler, type HopAnswer, type HopWatch } from '../node-http/watched-handler.js'
import type { Scope } from './hop-scope.js'

/**
 * One attempt of a hop. Its answer is held back until the kit's interceptors have taken it: they may turn to another
 * instance instead, and then the application never hears of this one. What its handler hears, it hears in the scope of
 * the hop.
 */
export class Attempt implements HopWatch {
  readonly #inScope: Scope
  #abort: AbortHop | undefined
  #answer: HopAnswer | undefined
  /** What came after the head of an answer that is held back: undici waits, a mocked dispatcher does not. */
  #held: (() => unknown)[] | undefined
  #discarded: Error | undefined
  #replied!: (reply: Reply<Attempt>) => void
  #failed!: (error: Error) => void
  #done!: () => void
  readonly #end = new Promise<void>((resolve) => (this.#done = resolve))
  /** Resolves with the answer's head; rejects where there is none. */
  readonly reply = new Promise<Reply<Attempt>>((resolve, reject) => {
    this.#replied = resolve
    this.#failed = reject
  })

  constructor(inScope: Scope, dispatcher: Dispatcher, options: DispatchOptions, handler: DispatchHandler) {
    this.#inScope = inScope
    try {
      dispatcher.dispatch(options, watchedHandler(handler, this))
    } catch (error) {
      this.#failed(error instanceof Error ? error : new Error(String(error)))
    }
  }

  started(abort: AbortHop, forward: () => void): void {
    this.#abort = abort
    if (this.#discarded === undefined) this.#inScope(forward)
    else abort(this.#discarded)
  }

  answered(answer: HopAnswer): boolean {
    this.#answer = answer
    this.#held = []
    this.#reply(answer.status, answer.headers)
    return false
  }

  received(forward: () => boolean): boolean {
    if (this.#held === undefined) return this.#discarded === undefined && this.#inScope(forward)
    this.#held.push(forward)
    return false
  }

  upgraded(status: number, headers: unknown, forward: () => void): void {
    this.#inScope(forward)
    this.#reply(status, headers)
    this.#done()
  }

  ended(error: Error | undefined, forward: () => void): void {
    this.#done()
    if (this.#discarded !== undefined) return
    if (error !== undefined && this.#answer === undefined) this.#failed(error)
    else if (this.#held !== undefined) this.#held.push(forward)
    else this.#inScope(forward)
  }

  progressed<Result>(forward: () => Result): Result {
    return this.#inScope(forward)
  }

  /** Hands the answer to the application; called in the scope of the hop. */
  accept(): void {
    const held = this.#held ?? []
    this.#held = undefined
    let goOn = this.#answer?.forward()
    for (const forward of held) goOn = forward() !== false
    if (goOn === true) this.#answer?.resume()
  }

  /** Ends the attempt unheard. */
  discard(reason: Error): void {
    this.#discarded = reason
    this.#held = undefined
    // Whoever keeps count of attempts would wait for this one for ever.
    this.#failed(reason)
    this.#abort?.(reason)
  }

  #reply(status: number, headers: unknown): void {
    let lines: HeaderLines | undefined
    const header = (name: string): string | undefined => (lines ??= headerLines(headers)).get(name)
    this.#replied({ status, header, value: this, done: this.#end })
  }
}
