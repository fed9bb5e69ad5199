import type { Kit } from '@waybill/core/adapter'
import type { TimerHalf } from '../../timer-record.js'
import { SoundTimer } from '../sound-timer.js'

/** Calls what several have started from the turn of the first, as queues do that wait for company. */
export class WaitsForCompany extends SoundTimer {
  override readonly under: TimerHalf['under'] = 'starter'
  /** By kit, of which each law makes its own: what one has left behind is no company for the next. */
  readonly #startedOf = new WeakMap<Kit, Set<() => void>>()

  override start(kit: Kit, fn: () => void): () => void {
    const started = this.#startedOf.get(kit) ?? new Set()
    this.#startedOf.set(kit, started.add(fn))
    if (started.size > 1) return () => started.delete(fn)
    const end = super.start(kit, () => {
      for (const each of started) each()
    })
    return () => {
      // Whoever comes later has a timer of her own again.
      started.clear()
      end()
    }
  }

  override turn(kit: Kit, fn: () => void): () => void {
    return kit.detached(fn, { inherit: true })
  }
}
