import { performCall, type Kit, type Reply } from '@waybill/core/adapter'
import type { SenderLike } from './kafka-shape.js'
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

/** `send` and `sendBatch` of a producer or of a transaction, with the waybill. */
export function waybillSender(kit: Kit, host: SenderLike, settings: SenderSettings): SenderLike {
  /** One call for each topic, nested, so that all have passed the interceptors before the one send. */
  const perform = (
    topics: readonly string[],
    send: (stamp: (entry: TopicMessages) => TopicMessages) => Promise<unknown>,
  ): Promise<unknown> => {
    const buffers = new Map<string, Buffer>()
    const next = (index: number, stamps: ReadonlyMap<string, StampTopic>): Promise<unknown> => {
      const topic = topics[index]
      if (topic === undefined) return send((entry) => stamped(entry, stamps))
      return performCall(kit, { kind: 'message', topic, ...settings }, (call, stamp) => {
        const stampTopic: StampTopic = (messages) => stampMessages(call, stamp, messages, buffers)
        return next(index + 1, new Map([...stamps, [topic, stampTopic]])).then(replyOf)
      }).then((reply) => reply.value)
    }
    return next(0, new Map())
  }
  return {
    send(record: unknown) {
      if (kit.disabled || !isTopicMessages(record)) return host.send(record)
      return perform([record.topic], (stamp) => host.send(stamp(record)))
    },
    sendBatch(batch: unknown) {
      const entries = (batch as { readonly topicMessages?: unknown } | undefined)?.topicMessages
      const isPlain = Array.isArray(entries) && entries.every(isTopicMessages)
      // kafkajs tells what is wrong with the whole before it sends any of it.
      if (kit.disabled || !isPlain) return host.sendBatch(batch)
      const topics = [...new Set(entries.map(({ topic }) => topic))]
      return perform(topics, (stamp) =>
        host.sendBatch({ ...(batch as object), topicMessages: entries.map(stamp) }),
      )
    },
  }
}

function isTopicMessages(value: unknown): value is TopicMessages {
  const { topic, messages } = (value ?? {}) as { readonly topic?: unknown; readonly messages?: unknown }
  return typeof topic === 'string' && topic !== '' && Array.isArray(messages)
}

function stamped(entry: TopicMessages, stamps: ReadonlyMap<string, StampTopic>): TopicMessages {
  return { ...entry, messages: stamps.get(entry.topic)?.(entry.messages) ?? entry.messages }
}

const DONE = Promise.resolve()

function replyOf(value: unknown): Reply<unknown> {
  return { value, header: () => undefined, done: DONE }
}
