import type { IncomingMessage } from 'node:http'
import type { Adopted } from '@waybill/core/adapter'
import { SoundListener } from '../sound-listener.js'

/** Runs the handler in the scope and forgets the events of the request, which come from the parser. */
export class LeavesEventsOut extends SoundListener {
  override enter(_request: IncomingMessage, adopted: Adopted, proceed: () => void): void {
    adopted.run(proceed)
  }
}
