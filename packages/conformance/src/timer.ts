export { timerLaws } from './timer-laws.js'
export { everyTimerLaw } from './every-timer-law.js'
export type { TimerHalf, TimerLaw, TimerRecord } from './timer-record.js'
