import {
  performCall,
  stampFor,
  type Call,
  type Kit,
  type OutgoingMessage,
  type Reply,
  type Stamp,
} from '@waybill/core/adapter'
import { deepFreeze } from '../deep-freeze.js'
import { everyProducingLaw } from '../every-message-law.js'
import type { ProducingHalf, ProducingHop } from '../message-record.js'
import { MemoryBroker, type MemoryProducer, type Written } from '../message/memory-broker.js'
import type { HeaderValue, PlainBroker, PlainMessage } from '../message/plain-broker.js'
import type { AdapterKind, Opening } from '../opening.js'

/** What an application puts on a message. */
export type Headers = Readonly<Record<string, HeaderValue>>

/** Marks what a sound producer has made, by the kit that it was made for. */
const wrappers = new WeakMap<MemoryProducer, Kit>()

/**
 * A minimal adapter of {@link MemoryProducer} that obeys every law: the base of the doubles, each of which overrides
 * one step and breaks it.
 */
export class SoundProducer implements ProducingHalf {
  readonly kind: AdapterKind = 'wrapper'
  readonly laws = everyProducingLaw
  readonly #memory = new MemoryBroker()

  broker(): Promise<PlainBroker> {
    return Promise.resolve(this.#memory)
  }

  open({ kit, times, lend }: Opening): ProducingHop {
    let producer = lend(this.#memory.producer())
    for (let count = 0; kit !== undefined && count < times; count++) producer = this.wrap(kit, producer)
    return {
      send: (topic, messages, frozen) =>
        producer.send(topic, frozen === true ? deepFreeze([...messages]) : messages),
      close: () => undefined,
    }
  }

  wrap(kit: Kit, producer: MemoryProducer): MemoryProducer {
    if (wrappers.get(producer) === kit) return producer
    const wrapper: MemoryProducer = {
      send: (topic, messages) =>
        this.isDisabled(kit) ? producer.send(topic, messages) : this.send(kit, producer, topic, messages),
    }
    wrappers.set(wrapper, kit)
    return wrapper
  }

  isDisabled(kit: Kit): boolean {
    return kit.disabled
  }

  async send(
    kit: Kit,
    producer: MemoryProducer,
    topic: string,
    messages: readonly PlainMessage[],
  ): Promise<Written> {
    const reply = await performCall(kit, this.outgoing(topic), (call, stamp) =>
      this.attempt(call, stamp, producer, topic, messages),
    )
    return reply.value
  }

  outgoing(topic: string): OutgoingMessage {
    return { kind: 'message', topic }
  }

  async attempt(
    call: Call,
    stamp: Stamp,
    producer: MemoryProducer,
    topic: string,
    messages: readonly PlainMessage[],
  ): Promise<Reply<Written>> {
    const stamped = messages.map((message) => this.stamped(message, call, stamp))
    const value = await producer.send(topic, stamped)
    return { header: () => undefined, value, done: Promise.resolve() }
  }

  stamped(message: PlainMessage, call: Call, shared: Stamp): PlainMessage {
    const { headers } = message
    const stamp = headers === undefined ? shared : stampFor(call, (name) => textOf(headers, name))
    return { ...message, headers: this.headers(headers ?? {}, stamp) }
  }

  headers(own: Headers, { set, remove }: Stamp): Headers {
    const gone = new Set([...remove, ...set.map(([name]) => name)])
    const kept = Object.entries(own).filter(([name]) => !gone.has(name.toLowerCase()))
    return Object.fromEntries([...set, ...kept])
  }
}

/** What a header says, its values joined by a comma; a mistake of the caller says nothing. */
export function textOf(headers: Headers, name: string): string | undefined {
  const texts = Object.entries(headers)
    .filter(([own]) => own.toLowerCase() === name)
    .flatMap(([, value]) => value)
    .filter((value) => value !== null)
    .map((value) => (typeof value === 'string' ? value : value.toString('latin1')))
  return texts.length === 0 ? undefined : texts.join(', ')
}
