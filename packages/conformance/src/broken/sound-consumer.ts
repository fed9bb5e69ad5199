import {
  adopt,
  carrierOf,
  isAdopted,
  runOutside,
  type Adopted,
  type Arrival,
  type Kit,
} from '@waybill/core/adapter'
import { everyConsumingLaw } from '../every-message-law.js'
import type { ConsumerOpening, ConsumingHalf } from '../message-record.js'
import { MemoryBroker, type MemoryConsumer, type MemoryListener } from '../message/memory-broker.js'
import type { PlainBroker } from '../message/plain-broker.js'
import type { ClientMessage } from '../message/stored-message.js'
import type { AdapterKind, Opened } from '../opening.js'

const NO_HEADERS = {}

/**
 * A minimal adapter of {@link MemoryConsumer} that obeys every law: the base of the doubles, each of which overrides
 * one step and breaks it.
 */
export class SoundConsumer implements ConsumingHalf {
  readonly kind: AdapterKind = 'wrapper'
  readonly laws = everyConsumingLaw
  readonly #memory = new MemoryBroker()

  broker(): Promise<PlainBroker> {
    return Promise.resolve(this.#memory)
  }

  open({ kit, times, lend, topic, handler, aside }: ConsumerOpening): Opened {
    let consumer = lend(this.#memory.consumer())
    for (let count = 0; kit !== undefined && count < times; count++) consumer = this.wrap(kit, consumer)
    consumer.run(topic, { eachMessage: handler, eachBatch: aside })
    return { close: () => consumer.stop() }
  }

  wrap(kit: Kit, consumer: MemoryConsumer): MemoryConsumer {
    return {
      run: (topic, listener) => {
        consumer.run(topic, this.listener(kit, topic, listener))
      },
      stop: () => consumer.stop(),
    }
  }

  listener(kit: Kit, topic: string, { eachMessage, eachBatch }: MemoryListener): MemoryListener {
    return {
      eachMessage: (message) => {
        if (this.isDisabled(kit) || this.isAdopted(message)) return eachMessage(message)
        const adopted = this.adopt(kit, this.arrival(topic, message), message)
        return this.enter(adopted, message, eachMessage)
      },
      eachBatch: () => {
        if (this.isDisabled(kit)) eachBatch()
        else this.aside(eachBatch)
      },
    }
  }

  isDisabled(kit: Kit): boolean {
    return kit.disabled
  }

  isAdopted({ headers = NO_HEADERS }: ClientMessage): boolean {
    return isAdopted(headers)
  }

  arrival(topic: string, { headers = NO_HEADERS }: ClientMessage): Arrival {
    return {
      kind: 'message',
      topic,
      carrier: carrierOf(headers),
      inbound: 'peer',
      peer: undefined,
      method: undefined,
      url: undefined,
    }
  }

  adopt(kit: Kit, arrival: Arrival, _message: ClientMessage): Adopted {
    return adopt(kit, arrival)
  }

  enter(adopted: Adopted, message: ClientMessage, eachMessage: MemoryListener['eachMessage']): Promise<void> {
    return adopted.run(() => eachMessage(message))
  }

  aside(eachBatch: () => void): void {
    runOutside('Handle each message by itself.', eachBatch)
  }
}
