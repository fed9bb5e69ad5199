import type { Stamp } from '@waybill/core/adapter'
import type { PlainRequest } from '../plain-client.js'
import { SoundClient } from '../sound-client.js'

/** Drops credentials from every call, as clients do at a redirect. */
export class DropsCredentials extends SoundClient {
  override headers(request: PlainRequest, { set, remove }: Stamp): Record<string, string> {
    return super.headers(request, { set, remove: [...remove, 'authorization'] })
  }
}
