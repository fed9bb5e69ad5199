import { SoundClient } from '../sound-client.js'

/** Never asks whether the kit is disabled. */
export class CannotBeDisabled extends SoundClient {
  override isDisabled(): boolean {
    return false
  }
}
