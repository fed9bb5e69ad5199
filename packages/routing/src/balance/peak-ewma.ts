/** The average forgets a past latency to 1/e of its share in this time. */
const DECAY_MS = 10_000
/** The load of one that was never called: it is tried first, and once. */
export const IDLE: number = -Infinity
/** The load, per call in flight, of one that was never measured: more than any that was. */
const UNKNOWN = Number.MAX_SAFE_INTEGER

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

  /**
   * For comparison: lower is better. What a call costs now is `latency × e^((observedAt − now) / decay) × (inFlight +
   * 1)`. This is its logarithm without the share of `now`, which is the same for all: so it changes only with what
   * happens here, and nobody who compares has to look at a clock.
   */
  get load(): number {
    if (this.#latency === 0) return this.#inFlight === 0 ? IDLE : UNKNOWN * this.#inFlight
    return Math.log(this.#latency * (this.#inFlight + 1)) + this.#observedAt / DECAY_MS
  }
}
