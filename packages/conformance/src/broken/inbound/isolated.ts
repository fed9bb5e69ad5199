import type { IncomingMessage } from 'node:http'
import type { Adopted } from '@waybill/core/adapter'
import { SoundListener } from '../sound-listener.js'

/** Keeps the current adoption in a field, and reads it again after a turn of the loop. */
export class SharesAVariable extends SoundListener {
  #current: Adopted | undefined

  override enter(request: IncomingMessage, adopted: Adopted, proceed: () => void): void {
    this.#current = adopted
    setImmediate(() => {
      super.enter(request, this.#current ?? adopted, proceed)
    })
  }
}
