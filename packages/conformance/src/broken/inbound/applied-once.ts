import { SoundListener } from '../sound-listener.js'

/** Does not recognise what it has adopted. */
export class AdoptsAgain extends SoundListener {
  override isAdopted(): boolean {
    return false
  }
}
