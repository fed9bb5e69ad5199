import type { Kit } from '@waybill/core/adapter'
import { everyTimerLaw } from '../every-timer-law.js'
import type { TimerHalf } from '../timer-record.js'

const EVERY_MS = 2

/** A minimal detached timer that obeys every law: the base of the doubles, each of which overrides one step. */
export class SoundTimer implements TimerHalf {
  readonly under: TimerHalf['under'] = 'root'
  readonly repeats = true
  readonly laws = everyTimerLaw

  start(kit: Kit, fn: () => void): () => void {
    const timer = setInterval(this.turn(kit, fn), EVERY_MS)
    return () => {
      clearInterval(timer)
    }
  }

  turn(kit: Kit, fn: () => void): () => void {
    return kit.detached(fn)
  }
}
