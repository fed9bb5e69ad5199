import { runOutside, type Kit } from '@waybill/core/adapter'
import { SoundTimer } from '../sound-timer.js'

/** Carries the first few turns. */
export class TiresOfIt extends SoundTimer {
  override turn(kit: Kit, fn: () => void): () => void {
    const carried = super.turn(kit, fn)
    let turns = 0
    return () => {
      if (turns++ < 5) carried()
      else runOutside('Nothing is to be done.', fn)
    }
  }
}
