import type { IncomingMessage } from 'node:http'
import type { Adopted } from '@waybill/core/adapter'
import { SoundListener } from '../sound-listener.js'

/** Tells the application the tag by a header of the request. */
export class WritesToTheRequest extends SoundListener {
  override enter(request: IncomingMessage, adopted: Adopted, proceed: () => void): void {
    request.headers['x-clk'] = adopted.waybill.clk ?? ''
    super.enter(request, adopted, proceed)
  }
}
