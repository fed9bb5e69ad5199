/** Time as the kit sees it, so that leases, windows and back-off can be tested without waiting. */
export interface Clock {
  /** Milliseconds on a monotonic clock; only differences mean something. */
  now(): number
  /** Milliseconds since 1970, for people to read. */
  wall(): number
  /** Calls `fn` once, `ms` from now, without keeping the process alive. Returns a cancel. */
  after(ms: number, fn: () => void): () => void
  /** Calls `fn` every `ms`, without keeping the process alive. Returns a cancel. */
  every(ms: number, fn: () => void): () => void
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms).unref()
    return () => clearTimeout(timer)
  },
  every(ms, fn) {
    const timer = setInterval(fn, ms).unref()
    return () => clearInterval(timer)
  },
}
