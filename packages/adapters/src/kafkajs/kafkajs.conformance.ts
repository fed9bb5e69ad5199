import { randomUUID } from 'node:crypto'
import type { Consumer, ConsumerRunConfig, Kafka, Producer, ProducerConfig } from 'kafkajs'
import {
  deepFreeze,
  everyConsumingLaw,
  everyProducingLaw,
  messageLaws,
  type AdapterKind,
  type ConsumerOpening,
  type ConsumingHalf,
  type PlainMessage,
  type ProducingHalf,
} from '@waybill/conformance/message'
import type { Kit } from '@waybill/core'
import { client, KafkaBroker, ownGroup, producerConfig } from '../../test/kafka-broker.js'
import { kafkaWaybill, runWithMessage, type ForEachMessage } from './index.js'

/** An application's own way of sending; it freezes what it makes itself. */
type SendOnce = (
  producer: Producer,
  topic: string,
  messages: PlainMessage[],
  settle: <T>(made: T) => T,
) => Promise<unknown>

function wrapped(kit: Kit | undefined, times: number, kafka: Kafka): Kafka {
  for (let count = 0; kit !== undefined && count < times; count++) kafka = kafkaWaybill(kit, kafka)
  return kafka
}

function producing(sendOnce: SendOnce, config: () => ProducerConfig = () => ({})): ProducingHalf {
  return {
    kind: 'wrapper',
    laws: everyProducingLaw,
    broker: () => KafkaBroker.connect(),
    async open({ kit, times, lend }) {
      const producer = wrapped(kit, times, lend(client())).producer({ ...producerConfig, ...config() })
      await producer.connect()
      return {
        send: (topic, messages, frozen) =>
          sendOnce(
            producer,
            topic,
            messages as PlainMessage[],
            frozen === true ? deepFreeze : (made) => made,
          ),
        close: () => producer.disconnect(),
      }
    },
  }
}

/** A producer has one transaction at a time. */
function inTransactions(): ProducingHalf {
  let last: Promise<unknown> = Promise.resolve()
  const sendOnce: SendOnce = (producer, topic, messages, settle) => {
    const sending = last.then(async () => {
      const transaction = await producer.transaction()
      try {
        const sent = await transaction.send(settle({ topic, messages: messages as never }))
        await transaction.commit()
        return sent
      } catch (error) {
        await transaction.abort()
        throw error
      }
    })
    last = sending.catch(() => undefined)
    return sending
  }
  return producing(sendOnce, () => ({ transactionalId: randomUUID(), maxInFlightRequests: 1 }))
}

interface ConsumingWay {
  readonly kind?: AdapterKind
  readonly laws?: Partial<Record<keyof typeof everyConsumingLaw, { readonly no: string }>>
  /** The client as the application has it. */
  kafka(opening: ConsumerOpening): Kafka
  run(opening: ConsumerOpening): ConsumerRunConfig
}

function consuming({ kind = 'wrapper', laws = {}, kafka, run }: ConsumingWay): ConsumingHalf {
  return {
    kind,
    laws: { ...everyConsumingLaw, ...laws },
    broker: () => KafkaBroker.connect(),
    async open(opening) {
      // A process with a clk has to say that it means the group of others.
      const group = opening.kit?.facts.clk === undefined ? {} : { group: 'shared' }
      const consumer: Consumer = kafka(opening).consumer({ ...ownGroup(), ...group })
      const { HEARTBEAT, START_BATCH_PROCESS } = consumer.events
      for (const event of [HEARTBEAT, START_BATCH_PROCESS]) consumer.on(event as never, () => opening.aside())
      await consumer.connect()
      await consumer.subscribe({ topics: [opening.topic], fromBeginning: true })
      await consumer.run({ partitionsConsumedConcurrently: 3, ...run(opening) })
      return { close: () => consumer.disconnect() }
    },
  }
}

const ofTheKit = ({ kit, times, lend }: ConsumerOpening): Kafka => wrapped(kit, times, lend(client()))

const eachMessage = consuming({
  kafka: ofTheKit,
  run: ({ handler }) => ({ eachMessage: ({ message }) => handler(message) }),
})

const forEachMessage = consuming({
  kafka: ofTheKit,
  run: ({ kit, handler, aside }) => ({
    async eachBatch(payload) {
      aside()
      if (kit === undefined) {
        for (const message of payload.batch.messages) {
          await handler(message)
          payload.resolveOffset(message.offset)
        }
      } else {
        const { forEachMessage } = payload as unknown as { readonly forEachMessage: ForEachMessage<object> }
        await forEachMessage(handler, { resolve: true })
      }
      aside()
    },
  }),
})

/** For clients that the kit does not wrap; the loop is the application's. */
const byHand = consuming({
  kind: 'plug',
  laws: {
    'applied-once': { no: 'each call of runWithMessage is a request of its own, as its caller asked' },
    outside: { no: 'the kit has no hand in the client, whose loop keeps the scope in which run was called' },
  },
  kafka: ({ lend }) => lend(client()),
  run: ({ kit, times, topic, handler, aside }) => ({
    async eachBatch({ batch, resolveOffset }) {
      aside()
      for (const message of batch.messages) {
        let handle = (): Promise<void> => handler(message)
        for (let count = 0; kit !== undefined && count < times; count++) {
          const inner = handle
          handle = () => runWithMessage(kit, { topic, message }, inner)
        }
        await handle()
        resolveOffset(message.offset)
      }
      aside()
    },
  }),
})

messageLaws(
  {
    name: 'kafkajs, send',
    direction: 'producing',
    producing: producing((producer, topic, messages, settle) =>
      producer.send(settle({ topic, messages: messages as never })),
    ),
  },
  {
    name: 'kafkajs, sendBatch',
    direction: 'producing',
    producing: producing((producer, topic, messages, settle) =>
      producer.sendBatch(settle({ topicMessages: [{ topic, messages: messages as never }] })),
    ),
  },
  { name: 'kafkajs, transaction', direction: 'producing', producing: inTransactions() },
  { name: 'kafkajs, eachMessage', direction: 'consuming', consuming: eachMessage },
  { name: 'kafkajs, eachBatch with forEachMessage', direction: 'consuming', consuming: forEachMessage },
  { name: 'any client, runWithMessage', direction: 'consuming', consuming: byHand },
)
