import type { RawHeaders } from '../wire/names-of-ours.js'

/** A header of a record as clients write it; what is neither text nor bytes is a mistake of the caller. */
export type HeaderValue = HeaderText | null | readonly HeaderText[]

type HeaderText = string | Buffer

/** A message as an application hands it to its producer. */
export interface PlainMessage {
  readonly key: string | null
  /** Null is a tombstone. */
  readonly value: string | null
  readonly headers?: Readonly<Record<string, HeaderValue>>
}

/** A message as it lies in its topic; header values with one character per byte. */
export interface StoredMessage extends RawHeaders {
  readonly key: string | null
  readonly value: string | null
}

/** A broker as a client sees it that knows nothing of the kit. */
export interface PlainBroker {
  /** Makes a topic of several partitions with a new name, and returns it. */
  createTopic(): Promise<string>
  /** Appends to a topic; messages of one key stay in order. */
  write(topic: string, messages: readonly PlainMessage[]): Promise<void>
  /** The first `count` messages of a topic, those of one key in order. Rejects where they do not come in time. */
  read(topic: string, count: number): Promise<readonly StoredMessage[]>
  close(): Promise<void> | void
}
