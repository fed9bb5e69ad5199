import type { IncomingMessage } from 'node:http'
import type { Arrival, Inbound } from '@waybill/core/adapter'
import { SoundListener } from '../sound-listener.js'

/** Takes the last of several lines, so that whoever can add a line chooses the tag. */
export class TakesTheLastLine extends SoundListener {
  override arrival(request: IncomingMessage, inbound: Inbound): Arrival {
    const { headers, headersDistinct } = request
    const carrier = { origin: headers, get: (name: string) => headersDistinct[name]?.at(-1) }
    return { ...super.arrival(request, inbound), carrier }
  }
}
