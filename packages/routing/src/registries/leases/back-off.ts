const FIRST_MS = 200
const MOST_MS = 30_000

/** Exponential back-off with full jitter: clients that lost one server do not come back together. */
export class BackOff {
  readonly #random: () => number
  #attempts = 0

  /** @param random in [0, 1). */
  constructor(random: () => number) {
    this.#random = random
  }

  /** Milliseconds until the next attempt. */
  next(): number {
    const ceiling = Math.min(MOST_MS, FIRST_MS * 2 ** this.#attempts)
    this.#attempts = Math.min(this.#attempts + 1, 16)
    // Never at once: a link that flaps would be asked in a tight loop.
    return FIRST_MS / 2 + this.#random() * (ceiling - FIRST_MS / 2)
  }

  reset(): void {
    this.#attempts = 0
  }
}
