import type { Arrival } from '@waybill/core/adapter'
import type { ClientMessage } from '../../message/stored-message.js'
import { SoundConsumer } from '../sound-consumer.js'

/** Takes the last of several values of the tag, so that whoever can add a header chooses it. */
export class TakesTheLastValue extends SoundConsumer {
  override arrival(topic: string, message: ClientMessage): Arrival {
    const arrival = super.arrival(topic, message)
    const { carrier } = arrival
    const get = (name: string): ReturnType<typeof carrier.get> => {
      const value = carrier.get(name)
      return typeof value === 'object' && name === 'clk' ? value.at(-1) : value
    }
    return { ...arrival, carrier: { origin: carrier.origin, get } }
  }
}
