import type { Arrival } from '@waybill/core/adapter'
import { SoundPool, type Envelope } from '../sound-pool.js'

/** Refuses a task whose waybill it cannot read. */
export class InsistsOnADepth extends SoundPool {
  override arrival(envelope: Envelope): Arrival {
    if (!envelope.waybill.includes('waybill-depth=')) throw new Error('a waybill has a depth')
    return super.arrival(envelope)
  }
}
