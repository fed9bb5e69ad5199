import { carrierOf, stampFor, type Call, type HeaderPair, type Stamp } from '@waybill/core/adapter'
import { filledFrom } from './plain-copy.js'

/** A message as the caller handed it in; whatever else stands in it is kafkajs's business. */
export interface SentMessage {
  readonly headers?: unknown
}

type Headers = Readonly<Record<string, unknown>>

/**
 * The messages of one send to one topic, with their stamps: copies where one is due, else the caller's own objects.
 * Each has a record of headers of its own, where a tracer may put what belongs to that message.
 * @param stamp that of the call, for messages that bear no headers.
 * @param buffers what is written, by its text: all messages of the send share one Buffer for each.
 */
export function stampMessages(
  call: Call,
  stamp: Stamp,
  messages: readonly SentMessage[],
  buffers: Map<string, Buffer>,
): readonly SentMessage[] {
  const written = (pairs: readonly HeaderPair[]): Headers =>
    Object.fromEntries(pairs.map(([name, text]) => [name, bufferOf(buffers, text)]))
  const shared = stamp.set.length === 0 ? undefined : written(stamp.set)
  return messages.map((message) => {
    // What is no message, and headers that are no record, are mistakes for kafkajs to tell of.
    if (typeof message !== 'object' || (message as unknown) === null) return message
    const { headers } = message
    if (headers === undefined) return shared === undefined ? message : withHeaders(message, { ...shared })
    if (typeof headers !== 'object' || headers === null) return message
    const { set, remove } = stampFor(call, callersText(headers as Headers))
    if (set.length === 0 && remove.length === 0) return message
    const taken = new Set([...remove, ...set.map(([name]) => name)])
    const kept = Object.entries(headers).filter(
      ([name, value]) => !taken.has(name.toLowerCase()) || !isSendable(value),
    )
    return withHeaders(message, { ...written(set), ...Object.fromEntries(kept) })
  })
}

/** What kafkajs refuses stays in its place under any name, for kafkajs to refuse. */
function isSendable(value: unknown): boolean {
  return Array.isArray(value)
    ? value.every(isSendable)
    : typeof value === 'string' || value instanceof Uint8Array
}

/** One character is one byte, in what is read of a caller's headers too. */
function bufferOf(buffers: Map<string, Buffer>, text: string): Buffer {
  let buffer = buffers.get(text)
  if (buffer === undefined) buffers.set(text, (buffer = Buffer.from(text, 'latin1')))
  return buffer
}

/** What kafkajs reads of a message, besides its headers. */
const READ = ['key', 'value', 'partition', 'timestamp'] as const

/**
 * What kafkajs reads stands on the copy as plain values, wherever the message has it from: behind a getter of its class, on
 * the copy, would be none of the message's private fields. A partitioner may ask for the rest of the class. A plain object that
 * has its value from itself has all of it from there.
 */
function withHeaders(message: SentMessage, headers: Headers): SentMessage {
  const copy: Record<string, unknown> = { ...message, headers }
  const prototype = Object.getPrototypeOf(message) as object | null
  if (prototype === Object.prototype && Object.hasOwn(message, 'value')) return copy
  return Object.setPrototypeOf(filledFrom(message, copy, READ), prototype) as SentMessage
}

/** What the caller put on a message, by name in lower case, as the bytes that kafkajs would send. */
function callersText(headers: Headers): (name: string) => string | undefined {
  const carrier = carrierOf(headers)
  return (name) => {
    // Most names are absent.
    if (carrier.get(name) === undefined) return undefined
    const value = carrierOf(encoded(headers)).get(name)
    return typeof value === 'object' ? value.join(',') : value
  }
}

function encoded(headers: Headers): Headers {
  const bytes = (value: unknown): unknown => (typeof value === 'string' ? Buffer.from(value) : value)
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(bytes) : bytes(value),
    ]),
  )
}
