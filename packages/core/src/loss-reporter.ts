import { hasSubscribers, publish } from './events.js'
import { MAX_REPORTED_PLACES } from './limits.js'
import { lostPlace, type CallEntry, type LostPlace } from './lost-place.js'

/** Publishes `lost`: each place in the code once, at most 1,000 places. */
export class LossReporter {
  readonly #elsewhere: LostPlace | undefined
  readonly #places = new Set<string>()

  /** @param elsewhere what is told where no frame on the stack is the application's; undefined: nothing. */
  constructor(elsewhere?: LostPlace) {
    this.#elsewhere = elsewhere
  }

  /** True while somebody listens and there is room for one place more. Where it is false no stack is taken, and a place is told to whoever comes later. */
  get wouldReport(): boolean {
    return hasSubscribers('lost') && this.#places.size < MAX_REPORTED_PLACES
  }

  /**
   * Reports a place: default is the one from which this is called.
   * @param kind what was lost there: that of the call, or `timer` or `socket`.
   * @param remedy what to do about it: a sentence that ends in the place to read on.
   * @param where the place, or the function on the stack that the application called.
   */
  report(kind: string, remedy: string, where?: LostPlace | CallEntry): void {
    if (!this.wouldReport) return
    const found = (typeof where === 'object' ? where : lostPlace(where)) ?? this.#elsewhere
    if (found === undefined || this.#places.has(found.place)) return
    this.#places.add(found.place)
    publish('lost', { kind, ...found, remedy })
  }
}
