import type { Kit } from '@waybill/core/adapter'
import type { OutboundReply } from '../../adapter-record.js'
import type { PlainClient, PlainRequest } from '../plain-client.js'
import { SoundClient } from '../sound-client.js'

/** Repeats a failed call on its own, outside of the call that the kit knows. */
export class RepeatsInSecret extends SoundClient {
  override async send(kit: Kit, client: PlainClient, request: PlainRequest): Promise<OutboundReply> {
    try {
      return await super.send(kit, client, request)
    } catch {
      return super.send(kit, client, request)
    }
  }
}
