import type { Kit } from '@waybill/core/adapter'
import type { Answers } from './answer.js'

export type TimerLaw = 'carried' | 'own-request' | 'isolated' | 'lasting' | 'disabled-identity'

/** A way of having a function called later. */
export interface TimerHalf {
  /** Under which waybill it promises to call the function: that of whoever starts it, or the process's root waybill. */
  readonly under: 'starter' | 'root'
  /** True: it calls the function again and again. */
  readonly repeats: boolean
  /** Has the function called soon, every few milliseconds where it repeats. Returns what ends that. */
  start(kit: Kit, fn: () => void): () => void
  readonly laws: Answers<TimerLaw>
}

/** The feature record of a timer, or of another way of having work done later. */
export interface TimerRecord {
  /** `setTimeout`, `everyDetached`. */
  readonly name: string
  readonly timer: TimerHalf
}
