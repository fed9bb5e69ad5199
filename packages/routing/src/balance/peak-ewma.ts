/** The average forgets a past latency to 1/e of its share in this time. */
const DECAY_MS = 10_000
/** What a provider costs that was never measured and has a call in flight: more than any that was. */
const UNKNOWN_COST = Number.MAX_SAFE_INTEGER

/**
 * How loaded one provider is, as this caller sees it: its latency × the calls in flight.
 *
 * The latency is a peak-sensitive moving average after Twitter Finagle's `PeakEwma` load metric (finagle-core,
 * `com.twitter.finagle.loadbalancer.PeakEwma`): a slower answer counts at once and whole, a faster one by and by, so
 * that one stall is avoided for seconds and not only until the next quick answer.
 */
export class PeakEwma {
  #latency = 0
  #observedAt = 0
  #inFlight = 0

  get inFlight(): number {
    return this.#inFlight
  }

  begin(): void {
    this.#inFlight += 1
  }

  end(): void {
    this.#inFlight -= 1
  }

  /** @param now monotonic ms @param latencyMs of one answer, or what a failure counts as. */
  observe(now: number, latencyMs: number): void {
    const weight = Math.exp(-Math.max(now - this.#observedAt, 0) / DECAY_MS)
    this.#latency = latencyMs > this.#latency ? latencyMs : this.#latency * weight + latencyMs * (1 - weight)
    this.#observedAt = now
  }

  /** Lower is better. 0 for one that was never called: it is tried first, and once. */
  cost(now: number): number {
    if (this.#latency === 0) return this.#inFlight === 0 ? 0 : UNKNOWN_COST * this.#inFlight
    const faded = this.#latency * Math.exp(-Math.max(now - this.#observedAt, 0) / DECAY_MS)
    return faded * (this.#inFlight + 1)
  }
}
