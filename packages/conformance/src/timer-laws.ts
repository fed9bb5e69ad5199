import { judgeHalf } from './judge.js'
import { lawsOfTimers } from './laws-of-timers.js'
import { keepResults } from './table/keep-results.js'
import type { VerifiedCarrier } from './table/verified.js'
import type { TimerRecord } from './timer-record.js'

const UNDER = { starter: 'whoever starts it', root: 'the process' } as const

/** Registers the laws of timers as tests. Call it once in a file, with all of the file's records. */
export function timerLaws(...records: readonly TimerRecord[]): void {
  keepResults(records.map(judgeTimer))
}

/** The tests of one record alone, without those of the table. */
export function judgeTimer({ name, timer }: TimerRecord): VerifiedCarrier {
  const traits = { 'whose waybill': UNDER[timer.under] }
  return { kind: 'timers', name, traits, laws: judgeHalf(name, timer, lawsOfTimers) }
}
