import { hasSubscribers, publish, type DropReason } from './events.js'

/** Plain integers since the kit was made, always on; events carry the details. */
export interface Counters {
  adopted: number
  injected: number
  settled: number
  /** Of the settled: those that ended in an error. */
  failed: number
  refused: number
  conflicts: number
  lost: number
  /** Values not believed, not readable or not fitting, by reason. */
  readonly dropped: Record<DropReason, number>
}

/** Zero everywhere. */
export function newCounters(): Counters {
  return {
    adopted: 0,
    injected: 0,
    settled: 0,
    failed: 0,
    refused: 0,
    conflicts: 0,
    lost: 0,
    dropped: {
      AMBIGUOUS_CLK: 0,
      INVALID_CLK: 0,
      AMBIGUOUS: 0,
      INVALID: 0,
      OVER_LIMIT: 0,
      UNTRUSTED: 0,
      FORWARDED: 0,
      LEAVES_FLEET: 0,
      PRODUCTION: 0,
      UNPREPARED: 0,
    },
  }
}

/** Counts what is dropped or in conflict, and tells it to whoever listens. */
export class Ledger {
  readonly counters: Counters = newCounters()

  drop(
    direction: 'in' | 'out',
    field: string,
    reason: DropReason,
    count = 1,
    remedy: string | undefined = undefined,
  ): void {
    this.counters.dropped[reason] += count
    if (hasSubscribers('dropped')) {
      publish('dropped', { direction, field, reason, count, ...(remedy === undefined ? {} : { remedy }) })
    }
  }

  conflict(direction: 'in' | 'out', field: string, kept: string): void {
    this.counters.conflicts++
    if (hasSubscribers('conflict')) publish('conflict', { direction, field, kept })
  }
}
