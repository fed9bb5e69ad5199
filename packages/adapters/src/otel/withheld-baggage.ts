import type { Baggage, BaggageEntry } from '@opentelemetry/api'

/**
 * Baggage that can be asked for each entry, and lists none while the kit sends a call on whose header they stand already: a
 * propagator that knows nothing of the kit then adds no header of its own.
 */
export class WithheldBaggage implements Baggage {
  readonly #baggage: Baggage
  readonly #isSending: () => boolean

  constructor(baggage: Baggage, isSending: () => boolean) {
    this.#baggage = baggage
    this.#isSending = isSending
  }

  getAllEntries(): [string, BaggageEntry][] {
    return this.#isSending() ? [] : this.#baggage.getAllEntries()
  }

  getEntry(key: string): BaggageEntry | undefined {
    return this.#baggage.getEntry(key)
  }

  setEntry(key: string, entry: BaggageEntry): Baggage {
    return this.#baggage.setEntry(key, entry)
  }

  removeEntry(key: string): Baggage {
    return this.#baggage.removeEntry(key)
  }

  removeEntries(...keys: string[]): Baggage {
    return this.#baggage.removeEntries(...keys)
  }

  clear(): Baggage {
    return this.#baggage.clear()
  }
}
