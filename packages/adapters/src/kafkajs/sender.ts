import { performCall, type Kit, type Reply } from '@waybill/core/adapter'
import { BatchGate } from './batch-gate.js'
import type { SenderLike } from './kafka-shape.js'
import { plainCopy } from './plain-copy.js'
import { stampMessages, type SentMessage } from './stamped-messages.js'

/** The settings of a wrapped producer, filled. */
export interface SenderSettings {
  readonly dedicatedHeaders: boolean
}

interface TopicMessages {
  readonly topic: string
  readonly messages: readonly SentMessage[]
}

/** Stamps the messages of a topic that has gone through the interceptors. */
type StampTopic = (messages: readonly SentMessage[]) => readonly SentMessage[]

/** What kafkajs reads of a batch, and of a record. */
const SEND_BATCH = ['acks', 'timeout', 'compression'] as const
const SEND = ['topic', ...SEND_BATCH] as const

/** `send` and `sendBatch` of a producer or of a transaction, with the waybill. */
export function waybillSender(kit: Kit, host: SenderLike, settings: SenderSettings): SenderLike {
  /** The call of one topic. `buffers` are those of the whole send. */
  const perform = (
    topic: string,
    buffers: Map<string, Buffer>,
    send: (stampTopic: StampTopic) => Promise<Reply<unknown>>,
  ): Promise<Reply<unknown>> =>
    performCall(kit, { kind: 'message', topic, ...settings }, (call, stamp) =>
      send((messages) => stampMessages(call, stamp, messages, buffers)),
    )
  return {
    send(record: unknown) {
      if (kit.disabled || !isTopicMessages(record)) return host.send(record)
      return perform(record.topic, new Map(), (stampTopic) =>
        host.send({ ...plainCopy(record, SEND), messages: stampTopic(record.messages) }).then(replyOf),
      ).then(valueOf)
    },
    sendBatch(batch: unknown) {
      const entries = (batch as { readonly topicMessages?: unknown } | undefined)?.topicMessages
      const isPlain = Array.isArray(entries) && entries.length > 0 && entries.every(isTopicMessages)
      // kafkajs tells what is wrong with the whole before it sends any of it.
      if (kit.disabled || !isPlain) return host.sendBatch(batch)
      const topics = [...new Set(entries.map(({ topic }) => topic))]
      const gate = new BatchGate<StampTopic>(topics.length, (stamps) =>
        host
          .sendBatch({
            ...plainCopy(batch as object, SEND_BATCH),
            topicMessages: entries.map((entry) => stamped(entry, stamps)),
          })
          .then(replyOf),
      )
      const buffers = new Map<string, Buffer>()
      const calls = topics.map((topic) => {
        const call = perform(topic, buffers, (stampTopic) => gate.pass(topic, stampTopic))
        gate.watch(call)
        return call
      })
      return Promise.all(calls).then(([reply]) => reply?.value)
    },
  }
}

function isTopicMessages(value: unknown): value is TopicMessages {
  const { topic, messages } = (value ?? {}) as { readonly topic?: unknown; readonly messages?: unknown }
  return typeof topic === 'string' && topic !== '' && Array.isArray(messages)
}

function stamped(entry: TopicMessages, stamps: ReadonlyMap<string, StampTopic>): TopicMessages {
  return {
    ...entry,
    topic: entry.topic,
    messages: stamps.get(entry.topic)?.(entry.messages) ?? entry.messages,
  }
}

const DONE = Promise.resolve()

function replyOf(value: unknown): Reply<unknown> {
  return { value, header: () => undefined, done: DONE }
}

function valueOf({ value }: Reply<unknown>): unknown {
  return value
}
