import type { Kit } from '@waybill/core/adapter'
import type { TimerHalf } from '../../timer-record.js'
import { SoundTimer } from '../sound-timer.js'

/** Calls what several have started from the turn of the first, as queues do that wait for company. */
export class WaitsForCompany extends SoundTimer {
  override readonly under: TimerHalf['under'] = 'starter'
  readonly #started = new Set<() => void>()

  override start(kit: Kit, fn: () => void): () => void {
    this.#started.add(fn)
    if (this.#started.size > 1) return () => this.#started.delete(fn)
    const end = super.start(kit, () => {
      for (const each of this.#started) each()
    })
    return () => {
      // Whoever comes later has a timer of her own again.
      this.#started.clear()
      end()
    }
  }

  override turn(kit: Kit, fn: () => void): () => void {
    return kit.detached(fn, { inherit: true })
  }
}
