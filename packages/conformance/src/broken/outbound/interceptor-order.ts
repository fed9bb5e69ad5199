import { tryCurrentWaybill, type Stamp } from '@waybill/core/adapter'
import type { PlainRequest } from '../plain-client.js'
import { SoundClient } from '../sound-client.js'

/** Reads the tag from the scope, where the interceptors' changes do not show. */
export class ReadsTheScope extends SoundClient {
  override headers(request: PlainRequest, stamp: Stamp): Record<string, string> {
    const headers = super.headers(request, stamp)
    const clk = tryCurrentWaybill()?.clk
    return clk === undefined || headers.clk === undefined ? headers : { ...headers, clk }
  }
}
