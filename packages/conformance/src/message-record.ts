import type { Answers } from './answer.js'
import type { PlainBroker, PlainMessage } from './message/plain-broker.js'
import type { AdapterKind, Opened, Opening, SharedLaw } from './opening.js'

export type ProducingLaw = SharedLaw | 'frozen-input' | 'interceptor-order' | 'faithful-call' | 'handed-on'

export type ConsumingLaw = SharedLaw | 'outside'

/** A producer behind the adapter. */
export interface ProducingHop extends Opened {
  /**
   * Sends all messages by one call of the client, and resolves when the broker has them. Hand over these very messages
   * and headers, not copies; where `frozen` is true, freeze the rest of what the client is handed with `deepFreeze`.
   * Rejects with what the application would get.
   */
  send(topic: string, messages: readonly PlainMessage[], frozen?: boolean): Promise<unknown>
}

/** How to open a consumer behind the adapter. */
export interface ConsumerOpening extends Opening {
  /** Read it from its beginning, several partitions at once where the host can, and in a group of its own. */
  readonly topic: string
  /**
   * Mount it where the application handles one message; hand it the message of the host itself. Where it rejects, the
   * host delivers the message again, soon.
   */
  handler(message: object): Promise<void>
  /** Call it wherever the host calls code that belongs to no message: around the loop over a batch, at a consumer event. */
  aside(): void
}

/** The producing half of an adapter. */
export interface ProducingHalf {
  readonly kind: AdapterKind
  /** A client of the same broker without the kit. */
  broker(): Promise<PlainBroker>
  open(opening: Opening): Promise<ProducingHop> | ProducingHop
  readonly laws: Answers<ProducingLaw>
}

/** The consuming half of an adapter. */
export interface ConsumingHalf {
  readonly kind: AdapterKind
  /** A client of the same broker without the kit. */
  broker(): Promise<PlainBroker>
  /** Resolves when the consumer runs. */
  open(opening: ConsumerOpening): Promise<Opened> | Opened
  readonly laws: Answers<ConsumingLaw>
}

/** The feature record of an adapter for a client of a message broker: a closed type, as that of requests. */
export type MessageRecord = {
  /** The client and the way of using it: `kafkajs, eachMessage`. */
  readonly name: string
} & (
  | { readonly direction: 'producing'; readonly producing: ProducingHalf }
  | { readonly direction: 'consuming'; readonly consuming: ConsumingHalf }
)
