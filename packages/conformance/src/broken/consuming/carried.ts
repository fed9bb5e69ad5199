import type { Arrival } from '@waybill/core/adapter'
import type { ClientMessage } from '../../message/stored-message.js'
import { SoundConsumer } from '../sound-consumer.js'

/** Looks for names as it writes them itself. */
export class KnowsLowerCaseAlone extends SoundConsumer {
  override arrival(topic: string, message: ClientMessage): Arrival {
    const { headers = {} } = message
    const own = Object.entries(headers).filter(([name]) => name === name.toLowerCase() || name === 'Clk')
    const carrier = super.arrival(topic, { ...message, headers: Object.fromEntries(own) }).carrier
    return {
      ...super.arrival(topic, message),
      carrier: { origin: headers, get: (name) => carrier.get(name), valueless: carrier.valueless ?? [] },
    }
  }
}
