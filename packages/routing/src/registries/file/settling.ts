import type { Clock } from '@waybill/core/adapter'

/** As long as a text must stand still before it is believed, in milliseconds. */
const STILL_MS = 50

/**
 * Whoever saves a file may empty it first and fill it then, and half a file can be a whole one to a parser. So a change
 * counts only when a second look, soon after the first, finds the same.
 */
export class Settling {
  readonly #clock: Clock
  readonly #lookAgain: () => void
  #seen: readonly string[] = []
  #cancel: (() => void) | undefined

  constructor(clock: Clock, lookAgain: () => void) {
    this.#clock = clock
    this.#lookAgain = lookAgain
  }

  /** @returns true where an earlier look has found the same; otherwise there will be another one. */
  isStill(found: readonly string[]): boolean {
    const isSame = found.length === this.#seen.length && found.every((text, at) => text === this.#seen[at])
    if (isSame) return this.#cancel === undefined
    this.stop()
    this.#seen = found
    this.#cancel = this.#clock.after(STILL_MS, () => {
      this.#cancel = undefined
      this.#lookAgain()
    })
    return false
  }

  /** Ends the waiting; the next change starts anew, also where it was seen before. */
  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#seen = []
  }
}
