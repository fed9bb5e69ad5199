import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import {
  Kafka,
  logLevel,
  Partitioners,
  type Admin,
  type Consumer,
  type ConsumerConfig,
  type Producer,
} from 'kafkajs'
import {
  storedMessage,
  type HeaderValue,
  type PlainBroker,
  type PlainMessage,
  type StoredMessage,
} from '@waybill/conformance/message'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Addresses of the Kafka that all tests of the project share. */
    readonly kafkaBrokers: readonly string[]
  }
}

const READ_WITHIN_MS = 15_000

export const client = (): Kafka =>
  new Kafka({
    clientId: 'waybill-conformance',
    brokers: [...inject('kafkaBrokers')],
    logLevel: logLevel.NOTHING,
    retry: { initialRetryTime: 50, maxRetryTime: 500, retries: 10 },
  })

export const producerConfig = { createPartitioner: Partitioners.DefaultPartitioner }

/** A group that nobody else has, and that is left at once. */
export const ownGroup = (): ConsumerConfig & { readonly groupId: string } => ({
  groupId: `law-${randomUUID()}`,
  sessionTimeout: 6000,
  heartbeatInterval: 300,
  maxWaitTimeInMs: 100,
})

/** kafkajs without the kit. */
export class KafkaBroker implements PlainBroker {
  readonly #kafka = client()
  readonly #admin: Admin = this.#kafka.admin()
  readonly #producer: Producer = this.#kafka.producer(producerConfig)
  readonly #readers = new Map<string, Promise<Reader>>()

  static async connect(): Promise<PlainBroker> {
    const broker = new KafkaBroker()
    await Promise.all([broker.#admin.connect(), broker.#producer.connect()])
    return broker
  }

  async createTopic(): Promise<string> {
    const topic = `law-${randomUUID()}`
    // kafkajs's own waiting fails where the broker has not heard of the topic yet, and ends before each partition is served.
    const topics = [{ topic, numPartitions: 3, replicationFactor: 1 }]
    await this.#admin.createTopics({ topics, waitForLeaders: false })
    while (!(await this.#isServed(topic))) await wait(20)
    return topic
  }

  /** A send to a partition that is not is repeated by kafkajs, and what the others took then lies there twice. */
  async #isServed(topic: string): Promise<boolean> {
    try {
      return (await this.#admin.fetchTopicOffsets(topic)).length === 3
    } catch {
      return false
    }
  }

  async write(topic: string, messages: readonly PlainMessage[]): Promise<void> {
    await this.#producer.send({ topic, messages: messages.map(writable) as never })
  }

  async read(topic: string, count: number): Promise<readonly StoredMessage[]> {
    const reader = this.#readers.get(topic) ?? Reader.open(this.#kafka.consumer(ownGroup()), topic)
    this.#readers.set(topic, reader)
    return (await reader).first(count)
  }

  async close(): Promise<void> {
    const readers = await Promise.all(this.#readers.values())
    await Promise.all([this.#admin, this.#producer, ...readers].map((each) => each.disconnect()))
  }
}

/** Holds what has come of one topic so far. */
class Reader {
  readonly #consumer: Consumer
  readonly #messages: StoredMessage[] = []
  #arrived: () => void = () => undefined

  private constructor(consumer: Consumer) {
    this.#consumer = consumer
  }

  static async open(consumer: Consumer, topic: string): Promise<Reader> {
    const reader = new Reader(consumer)
    await consumer.connect()
    await consumer.subscribe({ topics: [topic], fromBeginning: true })
    await consumer.run({
      eachMessage: ({ message }) => {
        reader.#messages.push(storedMessage(message))
        reader.#arrived()
        return Promise.resolve()
      },
    })
    return reader
  }

  async first(count: number): Promise<readonly StoredMessage[]> {
    let late: NodeJS.Timeout | undefined
    await new Promise<void>((resolve, reject) => {
      late = setTimeout(() => {
        reject(new Error(`${String(this.#messages.length)} of ${String(count)} messages lie in the topic`))
      }, READ_WITHIN_MS)
      this.#arrived = () => {
        if (this.#messages.length >= count) resolve()
      }
      this.#arrived()
    })
    clearTimeout(late)
    return this.#messages.slice(0, count)
  }

  disconnect(): Promise<void> {
    return this.#consumer.disconnect()
  }
}

function writable({ headers = {}, ...message }: PlainMessage): object {
  const all = Object.entries(headers).map(([name, value]): [string, HeaderValue | NullHeader] => [
    name,
    value ?? new NullHeader(),
  ])
  return { ...message, headers: Object.fromEntries(all) }
}

/**
 * A header whose value is null. Other clients write it and kafkajs's encoder knows it, but measures the value before it
 * asks; so the first look finds a text.
 */
class NullHeader extends Array<never> {
  override map<T>(toHeader: (value: never, index: number, array: never[]) => T): T[] {
    let looks = 0
    const header = { ...(toHeader('' as never, 0, this) as object) }
    return [Object.defineProperty(header, 'value', { get: () => (looks++ === 0 ? '' : null) }) as T]
  }
}
