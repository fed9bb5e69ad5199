import type { Clock } from '../clock.js'

/** A clock that stands still until it is told to go on. */
export interface FakeClock extends Clock {
  /** Goes on by `ms` and runs what falls due on the way, in order of time. */
  advance(ms: number): void
}

interface Timer {
  readonly id: number
  at: number
  readonly everyMs: number | undefined
  readonly fn: () => void
}

/** @param startMs what `now()` says at first, in milliseconds; `wall()` starts at 2026-01-01T00:00:00Z plus that. */
export function fakeClock(startMs = 0): FakeClock {
  const epoch = Date.UTC(2026, 0, 1)
  const timers = new Map<number, Timer>()
  let now = startMs
  let ids = 0
  const add = (ms: number, fn: () => void, repeating: boolean): (() => void) => {
    const id = ++ids
    timers.set(id, { id, at: now + ms, everyMs: repeating ? Math.max(ms, 1) : undefined, fn })
    return () => {
      timers.delete(id)
    }
  }
  const nextDue = (until: number): Timer | undefined => {
    let next: Timer | undefined
    for (const timer of timers.values()) {
      if (timer.at <= until && (next === undefined || timer.at < next.at)) next = timer
    }
    return next
  }
  return {
    now: () => now,
    wall: () => epoch + now,
    after: (ms, fn) => add(ms, fn, false),
    every: (ms, fn) => add(ms, fn, true),
    advance(ms) {
      const until = now + ms
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        now = timer.at
        if (timer.everyMs === undefined) timers.delete(timer.id)
        else timer.at += timer.everyMs
        timer.fn()
      }
      now = until
    },
  }
}
