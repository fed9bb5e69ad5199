import type { Reply } from '@waybill/core/adapter'
import type { AbortHop, DispatchHandler, DispatchOptions, Dispatcher } from '../node-http/dispatcher.js'
import { headerLines, type HeaderLines } from '../node-http/header-lines.js'
import { watchedHandler, type HopAnswer } from '../node-http/watched-handler.js'

/**
 * One attempt of a hop. Its answer is held back until the kit's interceptors have taken it: they may turn to another
 * instance instead, and then the application never hears of this one.
 */
export class Attempt {
  #abort: AbortHop | undefined
  #answer: HopAnswer | undefined
  /** What came after the head of an answer that is held back: undici waits, a mocked dispatcher does not. */
  #held: (() => unknown)[] | undefined
  #discarded: Error | undefined
  /** Resolves with the answer's head; rejects where there is none. */
  readonly reply: Promise<Reply<Attempt>>

  constructor(dispatcher: Dispatcher, options: DispatchOptions, handler: DispatchHandler) {
    let ended: () => void = () => undefined
    const done = new Promise<void>((resolve) => (ended = resolve))
    this.reply = new Promise((resolve, reject) => {
      const answered = (status: number, headers: unknown): void => {
        let lines: HeaderLines | undefined
        const header = (name: string): string | undefined => (lines ??= headerLines(headers)).get(name)
        resolve({ status, header, value: this, done })
      }
      const watched = watchedHandler(handler, {
        started: (abort, forward) => {
          this.#abort = abort
          if (this.#discarded === undefined) forward()
          else abort(this.#discarded)
        },
        answered: (answer) => {
          this.#answer = answer
          this.#held = []
          answered(answer.status, answer.headers)
          return false
        },
        received: (forward) => {
          if (this.#held === undefined) return this.#discarded === undefined && forward()
          this.#held.push(forward)
          return false
        },
        upgraded(status, headers, forward) {
          forward()
          answered(status, headers)
          ended()
        },
        ended: (error, forward) => {
          ended()
          if (this.#discarded !== undefined) return
          if (error !== undefined && this.#answer === undefined) reject(error)
          else if (this.#held !== undefined) this.#held.push(forward)
          else forward()
        },
      })
      try {
        dispatcher.dispatch(options, watched)
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    })
  }

  /** Hands the answer to the application. */
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
    this.#abort?.(reason)
  }
}
