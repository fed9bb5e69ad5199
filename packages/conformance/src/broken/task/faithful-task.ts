import type { Stamp } from '@waybill/core/adapter'
import { SoundPool, type Envelope } from '../sound-pool.js'

/** Makes an object of a task that is none. */
export class TidiesTasks extends SoundPool {
  override envelope(task: unknown, stamp: Stamp): Envelope {
    return super.envelope(task ?? {}, stamp)
  }
}
