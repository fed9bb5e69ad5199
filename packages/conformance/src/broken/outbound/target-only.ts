import type { Call, Stamp } from '@waybill/core/adapter'
import type { PlainRequest } from '../plain-client.js'
import { SoundClient } from '../sound-client.js'

/** Rewrites the URL to the target, so that `Host` changes with it. */
export class RewritesTheUrl extends SoundClient {
  override attempt(request: PlainRequest, call: Call, stamp: Stamp): PlainRequest {
    const { target } = call
    const attempt = super.attempt(request, call, stamp)
    if (target === undefined || target.authority !== undefined) return attempt
    return { ...attempt, headers: { ...attempt.headers, host: `${target.host}:${String(target.port)}` } }
  }
}
