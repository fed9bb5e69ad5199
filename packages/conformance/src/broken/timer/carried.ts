import type { Kit } from '@waybill/core/adapter'
import { SoundTimer } from '../sound-timer.js'

/** Promises the root waybill, and keeps that of whoever starts it. */
export class KeepsTheStarter extends SoundTimer {
  override turn(kit: Kit, fn: () => void): () => void {
    return kit.detached(fn, { inherit: true })
  }
}
