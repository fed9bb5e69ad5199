import { AsyncResource } from 'node:async_hooks'
import type { Kit } from '@waybill/core/adapter'
import type { OutboundReply } from '../../adapter-record.js'
import type { PlainClient, PlainRequest } from '../plain-client.js'
import { SoundClient } from '../sound-client.js'

/** Sends from a place of its own, as a queue or a pool does, and lets the caller's callbacks run there. */
export class SendsFromElsewhere extends SoundClient {
  readonly #elsewhere = new AsyncResource('elsewhere')

  override send(kit: Kit, client: PlainClient, request: PlainRequest): Promise<OutboundReply> {
    return super.send(kit, (attempt) => this.#elsewhere.runInAsyncScope(client, undefined, attempt), request)
  }
}
