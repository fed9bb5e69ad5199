import { setImmediate } from 'node:timers/promises'
import { performCall, type Kit, type Stamp } from '@waybill/core/adapter'
import type { OutboundReply } from '../../adapter-record.js'
import type { PlainClient, PlainRequest } from '../plain-client.js'
import { SoundClient } from '../sound-client.js'

/** Keeps the current stamp in a field, and reads it again after a turn of the loop. */
export class SharesAStamp extends SoundClient {
  #current: Stamp | undefined

  override async send(kit: Kit, client: PlainClient, request: PlainRequest): Promise<OutboundReply> {
    const reply = await performCall(kit, this.outgoing(request), async (call, stamp) => {
      this.#current = stamp
      await setImmediate()
      return this.reply(await client(this.attempt(request, call, this.#current)))
    })
    return reply.value
  }
}
