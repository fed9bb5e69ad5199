import { setImmediate, setTimeout } from 'node:timers/promises'
import type { HeaderValue, PlainBroker, PlainMessage, StoredMessage } from './plain-broker.js'
import { storedMessage, type ClientMessage } from './stored-message.js'

/** What a producer gives for a send. */
export interface Written {
  readonly messages: number
}

/** A client's producer, as far as the doubles wrap one. */
export interface MemoryProducer {
  send(topic: string, messages: readonly PlainMessage[]): Promise<Written>
}

/** What an application hands to its consumer. */
export interface MemoryListener {
  eachMessage(message: ClientMessage): Promise<void>
  /** Before and after each batch. */
  eachBatch(): void
}

/** A client's consumer, as far as the doubles wrap one. */
export interface MemoryConsumer {
  run(topic: string, listener: MemoryListener): void
  stop(): Promise<void>
}

const REDELIVERED_AFTER_MS = 2
let topics = 0

/** A host for the doubles: a broker with its clients, in this process. Its records are Kafka's, its loops everybody's. */
export class MemoryBroker implements PlainBroker {
  readonly #topics = new Map<string, ClientMessage[]>()

  createTopic(): Promise<string> {
    const topic = `law-${String(++topics)}`
    this.#topics.set(topic, [])
    return Promise.resolve(topic)
  }

  async write(topic: string, messages: readonly PlainMessage[]): Promise<void> {
    await setImmediate()
    const encoded = messages.map(({ key, value, headers = {} }) => ({
      key: key === null ? null : Buffer.from(key),
      value: value === null ? null : Buffer.from(value),
      headers: Object.fromEntries(Object.entries(headers).map(([name, given]) => [name, bytesOf(given)])),
    }))
    this.#messagesOf(topic).push(...encoded)
  }

  read(topic: string, count: number): Promise<readonly StoredMessage[]> {
    const stored = this.#messagesOf(topic).slice(0, count).map(storedMessage)
    return stored.length === count
      ? Promise.resolve(stored)
      : Promise.reject(new Error(`${topic} holds ${String(stored.length)} of ${String(count)} messages`))
  }

  close(): void {
    this.#topics.clear()
  }

  producer(): MemoryProducer {
    return {
      send: async (topic, messages) => {
        for (const { headers = {} } of messages) {
          if (Object.values(headers).some((given) => given === null)) throw new TypeError('a header is null')
        }
        await this.write(topic, messages)
        return { messages: messages.length }
      },
    }
  }

  consumer(): MemoryConsumer {
    let running: Promise<void> | undefined
    let stopped = false
    return {
      run: (topic, listener) => {
        running = this.#consume(topic, listener, () => stopped)
      },
      async stop() {
        stopped = true
        await running
      },
    }
  }

  /** One loop, in whatever scope `run` was called; each key's messages in order, the keys side by side. */
  async #consume(topic: string, { eachMessage, eachBatch }: MemoryListener, isStopped: () => boolean) {
    for (let offset = 0; !isStopped(); await setImmediate()) {
      const batch = this.#messagesOf(topic).slice(offset)
      if (batch.length === 0) continue
      offset += batch.length
      eachBatch()
      const last = new Map<string | undefined, Promise<void>>()
      for (const message of batch) {
        const key = message.key?.toString()
        last.set(
          key,
          (last.get(key) ?? Promise.resolve()).then(() => deliver(message, eachMessage)),
        )
      }
      await Promise.all(last.values())
      eachBatch()
    }
  }

  #messagesOf(topic: string): ClientMessage[] {
    return this.#topics.get(topic) ?? []
  }
}

/** Until the application takes it: what it rejects comes again. */
async function deliver(message: ClientMessage, eachMessage: MemoryListener['eachMessage']): Promise<void> {
  for (;;) {
    try {
      await eachMessage(message)
      return
    } catch {
      await setTimeout(REDELIVERED_AFTER_MS)
    }
  }
}

function bytesOf(given: HeaderValue): Buffer | Buffer[] | null {
  if (given === null) return null
  return Array.isArray(given)
    ? given.map((one: string | Buffer) => Buffer.from(one))
    : Buffer.from(given as string)
}
