import type { WaybillError } from './errors.js'
import type { Facts } from './facts.js'
import type { ServiceSettings } from './services.js'
import type { Waybill } from './waybill.js'

/** What sort of hop a call is. */
export type CallKind = 'http' | 'rpc' | 'message' | 'task'

/**
 * What may be sent again: no body, one that can be read again, or a stream of which a byte may be consumed already.
 */
export type BodyKind = 'none' | 'replayable' | 'stream'

/** Where a call's connection goes. The URL, `Host` and the TLS name stay the service's, unless `authority` names another. */
export interface Target {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  /** Replaces the URL's path and query. */
  readonly path?: string
  /** Replaces `Host` and the TLS name. */
  readonly authority?: string
  /** Milliseconds for the connection to be made; the time after it is the application's. */
  readonly connectMs?: number
  /**
   * False: no idle connection to this address is used or kept. A process that goes on after a breakpoint first closes
   * the connections that were idle for too long, with the requests that came on them meanwhile. Default true.
   */
  readonly keepAlive?: boolean
  /** Name of the service, for errors about a target that is no instance. */
  readonly service?: string
  /** The instance that was chosen; absent for a baseline address. */
  readonly instance?: TargetInstance
}

/** What is known of a chosen instance. */
export interface TargetInstance {
  readonly id: string
  readonly service: string
  readonly clks: readonly string[]
  readonly zone: string | undefined
  readonly cell: string | undefined
}

/** Who served a call, for the reply of the request that made it. */
export interface RouteNote {
  /** Name of the service that was called, `-` for a tag that was refused. */
  readonly service: string
  /** The clk of the instance, `@` and its zone, or nothing for an address without registry. */
  readonly served: string
  readonly reason: string
  readonly notes: readonly string[]
  /** `host:port`, told to peers that ask. */
  readonly at?: string
}

/**
 * The narrow record that every outbound adapter translates to and from. A plain object: an interceptor hands on
 * `{ ...call, target }`.
 */
export interface Call {
  /** One per logical call of the kit; a host library's own retry is a call of its own. */
  readonly id: string
  /** 1 for the first try; interceptors that count, count there. */
  readonly attempt: number
  /** The `id` that this call repeats, where the adapter can tell. */
  readonly after?: string
  readonly kind: CallKind
  /** True for a service, a host of `trust.outbound`, a task or a believed topic: only such calls are stamped. */
  readonly fleet: boolean
  /** Facts of the kit that makes the call; an interceptor may serve several kits. */
  readonly from: Facts
  readonly service?: ServiceSettings
  /** The URL that the application called; absent for messages and tasks. */
  readonly url?: URL
  /** Where messages go; absent for all else. */
  readonly topic?: string
  /** Path prefix of the URL that belongs to a gateway; empty where there is none. */
  readonly prefix: string
  /** `SEND` for messages, `RUN` for a task. */
  readonly method: string
  /** What will be written for this call; captured where the adapter was entered. */
  readonly waybill: Waybill
  /** Obeyed by `route` before its first step. `role` is the instance's `metadata.role`. */
  readonly require?: { readonly cell?: string; readonly role?: string }
  readonly target?: Target
  readonly body: BodyKind
  /** True where the method may be repeated (RFC 9110, 9.2.2). */
  readonly idempotent: boolean
  /** A header that the caller put on the call; the name in lower case. Messages have theirs each, and a call of several has none. */
  headers(name: string): string | undefined
  readonly signal?: AbortSignal
  /** On the kit's monotonic clock, in milliseconds. */
  readonly deadline?: number
  /** Tells in the reply of the current request who served this call. */
  note(entry: RouteNote): void
}

/** What comes back, as far as interceptors look at it. */
export interface Reply<Value = unknown> {
  readonly status?: number
  /** A header of the reply; the name in lower case. */
  header(name: string): string | undefined
  /** The host library's own response, untouched. */
  readonly value: Value
  /** Settles when the reply's body has ended, in whatever way. Never rejects. */
  readonly done: Promise<void>
}

/** The rest of a call's way. */
export type Next = (call: Call) => Promise<Reply>

/** An arrival as interceptors see it, after it was adopted and before any handler. */
export interface AdmittedArrival {
  readonly facts: Facts
  readonly kind: CallKind
  readonly waybill: Waybill
}

/** An answer to a worker thread: plain data in pieces, between which the thread answers everybody else. */
export type AnswerPieces = AsyncIterable<unknown>

/** A worker thread's way to the interceptor of the same name in the thread that made it. */
export interface ParentLine {
  /** Another number than before: something has changed since. Costs a look into shared memory. */
  version(): number
  /**
   * Hands each piece of the answer to `take`, in order, and resolves after the last.
   * @throws WaybillError ERR_WAYBILL_PARENT_THREAD where nobody there answers.
   */
  ask(question: unknown, take: (piece: unknown) => void): Promise<void>
}

/** Both ends of what an interceptor shares between a thread and the worker threads that it makes. */
export interface ThreadShare {
  /** The same at both ends. */
  readonly name: string
  /**
   * Called by `createKit` after `prepare`. Questions and pieces are cloned.
   * @param changed is to be called when an answer that was given does not hold any more.
   */
  serve(facts: Facts, changed: () => void): (question: unknown) => AnswerPieces
  /**
   * Called before `prepare` in a worker thread whose parent has made a kit. Returns whether it follows; else it is
   * prepared as in any other thread.
   */
  follow(facts: Facts, parent: ParentLine): boolean
}

/**
 * What stands between adapters and the wire. The first in a list is the outermost; it is built once per kit.
 */
export interface Interceptor {
  (next: Next): Next
  /** This one may set `call.target`. */
  readonly sets?: 'target'
  /** This one judges `call.target`, so it must come after one that sets it. */
  readonly needs?: 'target'
  /** Called once by `createKit`, unless it follows a {@link ThreadShare}; refuses a missing option by throwing. */
  prepare?(facts: Facts): void
  /** What this one has in common with those of the same name in worker threads. Default nothing. */
  readonly share?: ThreadShare
  /** May refuse an arrival with a coded answer. Its `status` is the answer's. */
  admit?(arrival: AdmittedArrival): WaybillError | undefined
}

/** Composes interceptors around the last step; the first is the outermost. */
export function compose(interceptors: readonly Interceptor[], last: Next): Next {
  return interceptors.reduceRight((next, interceptor) => interceptor(next), last)
}
