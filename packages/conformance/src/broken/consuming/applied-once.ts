import { SoundConsumer } from '../sound-consumer.js'

/** Does not recognise what it has adopted. */
export class AdoptsAgain extends SoundConsumer {
  override isAdopted(): boolean {
    return false
  }
}
