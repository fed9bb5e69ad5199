import { setImmediate } from 'node:timers/promises'
import type { MemoryPool, PoolOptions } from '../../task/memory-pool.js'
import { SoundPool, type Envelope } from '../sound-pool.js'

/** Keeps the current waybill in a field, and reads it again after a turn of the loop. */
export class SharesAVariable extends SoundPool {
  #waybill = ''

  override async submit(pool: MemoryPool, sent: unknown, options?: PoolOptions): Promise<unknown> {
    if (typeof sent !== 'object' || sent === null || !('waybill' in sent))
      return super.submit(pool, sent, options)
    const { waybill, task } = sent as Envelope
    this.#waybill = waybill
    await setImmediate()
    return super.submit(pool, { waybill: this.#waybill, task }, options)
  }
}
