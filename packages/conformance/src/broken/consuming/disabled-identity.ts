import { SoundConsumer } from '../sound-consumer.js'

/** Never asks whether the kit is disabled. */
export class CannotBeDisabled extends SoundConsumer {
  override isDisabled(): boolean {
    return false
  }
}
