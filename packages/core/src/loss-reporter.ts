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

  /** False where nobody would be told: then no stack is taken, and a place is told to whoever comes later. */
  get asks(): boolean {
    return hasSubscribers('lost') && this.#places.size < MAX_REPORTED_PLACES
  }

  /**
   * Reports a place: default is the one from which this is called.
   * @param kind what was lost there: that of the call, or `timer` or `socket`.
   * @param where the place, or the function on the stack that the application called.
   */
  report(kind: string, remedy: LossRemedy, where?: LostPlace | Entry): void {
    if (!this.asks) return
    const found = (typeof where === 'object' ? where : lostPlace(where)) ?? this.#elsewhere
    if (found === undefined || this.#places.has(found.place)) return
    this.#places.add(found.place)
    publish('lost', { kind, ...found, remedy: remedyText(remedy) })
  }
}
