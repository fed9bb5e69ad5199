import { judgeHalf } from './judge.js'
import { lawsOfTimers } from './laws-of-timers.js'
import type { TimerRecord } from './timer-record.js'

/** Registers the laws of timers as tests. */
export function timerLaws({ name, timer }: TimerRecord): void {
  judgeHalf(name, timer, lawsOfTimers)
}
