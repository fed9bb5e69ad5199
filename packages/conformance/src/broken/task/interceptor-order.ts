import { tryCurrentWaybill, type Stamp } from '@waybill/core/adapter'
import { SoundPool, type Envelope } from '../sound-pool.js'

/** Reads the tag from the scope, where the interceptors' changes do not show. */
export class ReadsTheScope extends SoundPool {
  override envelope(task: unknown, stamp: Stamp): Envelope {
    const { waybill } = super.envelope(task, stamp)
    const clk = tryCurrentWaybill()?.clk
    return { waybill: clk === undefined ? waybill : waybill.replace(/^clk=[^,]*/, `clk=${clk}`), task }
  }
}
