/** The window over which calls and retries are counted. */
const WINDOW_MS = 10_000
const BUCKETS = 20
const BUCKET_MS = WINDOW_MS / BUCKETS
/** Retries per call of the window. */
const SHARE = 0.1
/** Retries per second that a quiet process may always make. */
const FLOOR_PER_SECOND = 3

/**
 * Keeps retries from doubling the traffic on a backend that is down: at most 10 % of the calls of the last 10 s, and
 * never less than 3 per second of them, so that a process with few calls may still retry.
 */
export class RetryBudget {
  readonly #calls = new WindowCount()
  readonly #retries = new WindowCount()

  /** A call begins, its first attempt. @param now monotonic milliseconds. */
  call(now: number): void {
    this.#calls.add(now)
  }

  /** Asks for one more attempt, and takes it from the budget if there is one left. */
  take(now: number): boolean {
    const allowed = Math.max(Math.floor(this.#calls.sum(now) * SHARE), (FLOOR_PER_SECOND * WINDOW_MS) / 1000)
    if (this.#retries.sum(now) >= allowed) return false
    this.#retries.add(now)
    return true
  }
}

/** How often something happened within the window, to half a second. Counting is one addition. */
class WindowCount {
  readonly #counts = new Array<number>(BUCKETS).fill(0)
  #newest = 0

  add(now: number): void {
    const place = this.#advance(now) % BUCKETS
    this.#counts[place] = (this.#counts[place] as number) + 1
  }

  sum(now: number): number {
    this.#advance(now)
    return this.#counts.reduce((sum, count) => sum + count, 0)
  }

  #advance(now: number): number {
    const bucket = Math.floor(now / BUCKET_MS)
    for (let gone = Math.max(this.#newest + 1, bucket - BUCKETS + 1); gone <= bucket; gone += 1) {
      this.#counts[gone % BUCKETS] = 0
    }
    this.#newest = Math.max(this.#newest, bucket)
    return this.#newest
  }
}
