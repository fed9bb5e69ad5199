import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Inbound } from '@waybill/core/adapter'
import type { Answers } from './answer.js'
import type { AdapterKind, Opened, Opening, SharedLaw } from './opening.js'

export type InboundLaw = SharedLaw | 'admission' | 'told-reply'

export type OutboundLaw =
  SharedLaw | 'frozen-input' | 'interceptor-order' | 'faithful-call' | 'target-only' | 'connection-per-target'

/** How to open a listener behind the adapter. */
export interface InboundOpening extends Opening {
  /** Who the listener believes; undefined: what the kit says. */
  readonly inbound: Inbound | undefined
  /**
   * Mount it where an application's handler stands, for every method and path, without a body parser in front.
   * What it throws or rejects with must go the host's way of errors.
   */
  handler(request: IncomingMessage, response: ServerResponse): unknown
  /** Mount it where the host hands errors to: an error middleware, or the `catch` around the handler. It answers. */
  onError(error: unknown, request: IncomingMessage, response: ServerResponse): void
}

/** A listener on 127.0.0.1. */
export interface InboundHop extends Opened {
  readonly port: number
}

/** What an application asks of the client. */
export interface OutboundRequest {
  /** Absolute, with http. */
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Hand this very object to the client, not a copy. */
  readonly headers: Readonly<Record<string, string>>
  /** Sent as text. */
  readonly body?: string
  /** True: freeze all that the application hands to the client, with {@link deepFreeze}; `headers` is frozen already. */
  readonly frozen?: boolean
  readonly signal?: AbortSignal
  /** Call it with each piece of the reply's body, in the callback or loop where an application reads it. */
  readonly read?: (piece: string) => void
}

/** An answer of whatever status; 4xx and 5xx do not reject. */
export interface OutboundReply {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

/** A client behind the adapter, with keep-alive where the host has it. */
export interface OutboundHop extends Opened {
  /** Rejects with what the application would get. */
  call(request: OutboundRequest): Promise<OutboundReply>
}

/** The inbound half of an adapter. */
export interface InboundHalf {
  readonly kind: AdapterKind
  open(opening: InboundOpening): Promise<InboundHop> | InboundHop
  readonly laws: Answers<InboundLaw>
}

/** The outbound half of an adapter. */
export interface OutboundHalf {
  readonly kind: AdapterKind
  open(opening: OutboundOpening): Promise<OutboundHop> | OutboundHop
  readonly laws: Answers<OutboundLaw>
}

/** How to open a client behind the adapter. */
export type OutboundOpening = Opening

/** The feature record: a closed type, so that a new law asks every adapter. */
export type AdapterRecord = {
  /** The host and its version or mode: `express 4`, `axios (fetch adapter)`. */
  readonly name: string
} & (
  | { readonly direction: 'inbound'; readonly inbound: InboundHalf }
  | { readonly direction: 'outbound'; readonly outbound: OutboundHalf }
  | { readonly direction: 'both'; readonly inbound: InboundHalf; readonly outbound: OutboundHalf }
)
