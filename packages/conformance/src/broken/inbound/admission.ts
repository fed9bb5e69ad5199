import type { ServerResponse } from 'node:http'
import type { WaybillError } from '@waybill/core/adapter'
import { SoundListener } from '../sound-listener.js'

/** Lets in what an interceptor has refused. */
export class LetsEverybodyIn extends SoundListener {
  override refuse(_response: ServerResponse, _refusal: WaybillError, proceed: () => void): void {
    proceed()
  }
}
