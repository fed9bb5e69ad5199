import type { Stamp } from '@waybill/core/adapter'
import { SoundPool, type Envelope } from '../sound-pool.js'

/** Fills tasks where they lie. */
export class FillsTasks extends SoundPool {
  override envelope(task: unknown, stamp: Stamp): Envelope {
    if (typeof task === 'object' && task !== null) Object.assign(task, { ...task })
    return super.envelope(task, stamp)
  }
}
