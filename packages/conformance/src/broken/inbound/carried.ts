import type { IncomingMessage } from 'node:http'
import type { Arrival, Inbound } from '@waybill/core/adapter'
import { SoundListener } from '../sound-listener.js'

/** Hands over headers alone, so that an edge never reads the query. */
export class ForgetsTheUrl extends SoundListener {
  override arrival(request: IncomingMessage, inbound: Inbound): Arrival {
    return { ...super.arrival(request, inbound), url: undefined }
  }
}
