import { publish, type Adopted, type Arrival, type Kit } from '@waybill/core/adapter'
import type { ClientMessage } from '../../message/stored-message.js'
import { SoundConsumer } from '../sound-consumer.js'

/** Tells of an adoption that core has told of already. */
export class TellsAgain extends SoundConsumer {
  override adopt(kit: Kit, arrival: Arrival, message: ClientMessage): Adopted {
    const adopted = super.adopt(kit, arrival, message)
    const { clk, hopCount, depth } = adopted.waybill
    publish('adopted', { kind: 'message', inbound: 'peer', clk, source: 'none', hopCount, depth })
    return adopted
  }
}
