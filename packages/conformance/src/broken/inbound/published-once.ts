import type { IncomingMessage } from 'node:http'
import { publish, type Adopted, type Arrival, type Kit } from '@waybill/core/adapter'
import { SoundListener } from '../sound-listener.js'

/** Tells of an adoption that core has told of already. */
export class TellsAgain extends SoundListener {
  override adopt(kit: Kit, arrival: Arrival, request: IncomingMessage): Adopted {
    const adopted = super.adopt(kit, arrival, request)
    const { clk, hopCount, depth } = adopted.waybill
    publish('adopted', { kind: 'http', inbound: arrival.inbound, clk, source: 'none', hopCount, depth })
    return adopted
  }
}
