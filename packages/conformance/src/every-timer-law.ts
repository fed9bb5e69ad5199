import type { TimerLaw } from './timer-record.js'

/** The answers of a timer that obeys every law, those that are yet to come included. */
export const everyTimerLaw: Readonly<Record<TimerLaw, true>> = {
  carried: true,
  'own-request': true,
  isolated: true,
  lasting: true,
  'disabled-identity': true,
}
