import type { IncomingMessage } from 'node:http'
import type { Arrival, Inbound } from '@waybill/core/adapter'
import { SoundListener } from '../sound-listener.js'

/** Prepares each request before it asks whether the kit is disabled. */
export class PreparesAlways extends SoundListener {
  override arrival(request: IncomingMessage, inbound: Inbound): Arrival {
    const emit = request.emit.bind(request)
    request.emit = (...args: unknown[]) => emit(...(args as [string]))
    return super.arrival(request, inbound)
  }
}
