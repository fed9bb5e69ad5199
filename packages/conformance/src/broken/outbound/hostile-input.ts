import type { Stamp } from '@waybill/core/adapter'
import type { PlainRequest } from '../plain-client.js'
import { SoundClient } from '../sound-client.js'

/** Sets what is to be set and removes nothing. */
export class RemovesNothing extends SoundClient {
  override headers(request: PlainRequest, { set }: Stamp): Record<string, string> {
    return super.headers(request, { set, remove: [] })
  }
}
