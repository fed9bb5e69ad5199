import { SoundProducer } from '../sound-producer.js'

/** Never asks whether the kit is disabled. */
export class CannotBeDisabled extends SoundProducer {
  override isDisabled(): boolean {
    return false
  }
}
