import type { Stamp } from '@waybill/core/adapter'
import { SoundPool, type Envelope } from '../sound-pool.js'

/** Takes the way to another thread for a hop. */
export class CountsAHop extends SoundPool {
  override envelope(task: unknown, stamp: Stamp): Envelope {
    const { waybill } = super.envelope(task, stamp)
    const deeper = waybill.replace(
      /waybill-depth=(\d+)/,
      (_all, depth) => `waybill-depth=${String(Number(depth) + 1)}`,
    )
    return { waybill: deeper, task }
  }
}
