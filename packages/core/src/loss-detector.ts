import type { Counters } from './counters.js'
import { CALLBACK_REMEDY } from './loss-remedies.js'
import { LossReporter } from './loss-reporter.js'
import { rendezvous } from './rendezvous.js'
import { lostPlace, type CallEntry, type LostPlace } from './lost-place.js'

const NO_PLACE = { place: '(no frame of the application)', stack: '' }

/**
 * Reports calls that are made in no scope by a process that has adopted a request or message. Off in production, where a
 * stack for each such call would be dear; there it only counts.
 */
export class LossDetector {
  readonly #counters: Counters
  readonly #reporter: LossReporter | undefined

  constructor(counters: Counters, enabled: boolean) {
    this.#counters = counters
    this.#reporter = enabled ? new LossReporter(NO_PLACE) : undefined
  }

  /** Called when something was adopted; before that a call in no scope is a script's, and nothing is lost. */
  arm(): void {
    rendezvous().adopted = true
  }

  /** The place from which this is called, for a call that is made later; undefined where none would be reported. */
  place(entry: CallEntry): LostPlace | undefined {
    return rendezvous().adopted === true && this.#reporter?.wouldReport === true
      ? lostPlace(entry)
      : undefined
  }

  /**
   * @param remedy of the place; what helps in most of them where none is known.
   * @param where the place, or the function on the stack that the application called.
   */
  callWithoutScope(kind: string, remedy: string = CALLBACK_REMEDY, where?: LostPlace | CallEntry): void {
    if (rendezvous().adopted !== true) return
    this.#counters.lost++
    this.#reporter?.report(kind, remedy, where)
  }
}
