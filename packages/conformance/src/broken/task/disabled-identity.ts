import { SoundPool } from '../sound-pool.js'

/** Never asks whether the kit is disabled. */
export class CannotBeDisabled extends SoundPool {
  override isDisabled(): boolean {
    return false
  }
}
