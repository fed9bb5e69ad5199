import type { ServerResponse } from 'node:http'
import { ROUTE_HEADER, type Adopted } from '@waybill/core/adapter'
import { SoundListener } from '../sound-listener.js'

/** Sets its headers before the application's, which then replace them. */
export class SpeaksTooEarly extends SoundListener {
  override mark(response: ServerResponse, adopted: Adopted, vary: string | undefined): void {
    if (adopted.tagged) response.setHeader('Cache-Control', 'private, no-store')
    if (vary !== undefined) response.setHeader('Vary', vary)
    if (adopted.told) {
      adopted.tell({
        add(entries) {
          if (!response.headersSent) response.appendHeader(ROUTE_HEADER, entries)
        },
      })
    }
  }
}
