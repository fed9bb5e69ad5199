import type { OutgoingRequest } from '@waybill/core/adapter'
import type { PlainRequest } from '../plain-client.js'
import { SoundClient } from '../sound-client.js'

/** Says that no call has a body. */
export class OverlooksBodies extends SoundClient {
  override outgoing(request: PlainRequest): OutgoingRequest {
    return { ...super.outgoing(request), body: 'none' }
  }
}
