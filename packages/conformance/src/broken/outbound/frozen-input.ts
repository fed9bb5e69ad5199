import type { Call, Stamp } from '@waybill/core/adapter'
import type { PlainRequest } from '../plain-client.js'
import { SoundClient } from '../sound-client.js'

/** Tidies the caller's options where they lie. */
export class TidiesOptions extends SoundClient {
  override attempt(request: PlainRequest, call: Call, stamp: Stamp): PlainRequest {
    return super.attempt(Object.assign(request, { method: request.method.toUpperCase() }), call, stamp)
  }
}
