import { hasSubscribers, publish } from './events.js'
import { MAX_REPORTED_PLACES } from './limits.js'
import { remedyText, type LossRemedy } from './loss-remedies.js'
import { lostPlace, type Entry, type LostPlace } from './lost-place.js'

/** Publishes `lost`: each place in the code once, at most 1,000 places. */
export class LossReporter {
  readonly #elsewhere: LostPlace | undefined
  readonly #places = new Set<string>()

  /** @param elsewhere what is told where no frame on the stack is the application's; undefined: nothing. */
  constructor(elsewhere?: LostPlace) {
    this.#elsewhere = elsewhere
  }

  /**
   * Reports the place from which this is called.
   * @param kind what was lost there: that of the call, or `timer` or `socket`.
   * @param entry the function of the kit or of an adapter that the application called, where it is on the stack.
   */
  report(kind: string, remedy: LossRemedy, entry?: Entry): void {
    // Nobody is told: then no stack is taken, and the place is told to whoever comes later.
    if (!hasSubscribers('lost') || this.#places.size >= MAX_REPORTED_PLACES) return
    const found = lostPlace(entry) ?? this.#elsewhere
    if (found === undefined || this.#places.has(found.place)) return
    this.#places.add(found.place)
    publish('lost', { kind, ...found, remedy: remedyText(remedy) })
  }
}
