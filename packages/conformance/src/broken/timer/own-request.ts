import { bindWaybill } from '@waybill/core'
import type { Kit } from '@waybill/core/adapter'
import { SoundTimer } from '../sound-timer.js'

/** Detaches once, for all turns. */
export class SharesARequest extends SoundTimer {
  override turn(kit: Kit, fn: () => void): () => void {
    return kit.detached(() => bindWaybill(fn))()
  }
}
