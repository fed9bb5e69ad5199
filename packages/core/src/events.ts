import { channel, type Channel } from 'node:diagnostics_channel'
import type { ErrorCode } from './errors.js'

/** Where the clk of an adopted request came from; `own` is the process's own, `none` means untagged. */
export type ClkSource = 'header' | 'baggage' | 'cookie' | 'query' | 'alias' | 'own' | 'none'

/** Why a value was not taken in, or not written. */
export type DropReason =
  | 'AMBIGUOUS_CLK'
  | 'INVALID_CLK'
  | 'AMBIGUOUS'
  | 'INVALID'
  | 'OVER_LIMIT'
  | 'UNTRUSTED'
  | 'FORWARDED'
  | 'LEAVES_FLEET'
  | 'PRODUCTION'
  | 'UNPREPARED'

/** What each channel carries. A shard key is in none of them. */
export interface WaybillEvents {
  /** A request, message or task was taken in. */
  adopted: {
    readonly kind: string
    readonly inbound: string
    readonly clk: string | undefined
    readonly source: ClkSource
    readonly hopCount: number
    readonly depth: number
  }
  /** A call was stamped and handed to its client; once per attempt. */
  injected: {
    readonly call: string
    readonly attempt: number
    readonly kind: string
    readonly service: string | undefined
    readonly host: string | undefined
    /** Where messages go; one event stands for all that one call sends to one topic. */
    readonly topic: string | undefined
    readonly clk: string | undefined
  }
  /** An instance was chosen, or none could be. */
  selected: {
    readonly call: string
    readonly attempt: number
    readonly service: string
    readonly clk: string | undefined
    readonly reason: string
    readonly notes: readonly string[]
    readonly instance: string | undefined
    readonly address: string | undefined
  }
  /** A call ended, with an answer of whatever status or with its client's error. */
  settled: {
    readonly call: string
    readonly service: string | undefined
    readonly status: number | undefined
    readonly error: unknown
    readonly sent: 'no' | 'yes' | 'unknown'
    readonly durationMs: number
  }
  /** The kit itself refused a call or a request. */
  refused: {
    readonly code: ErrorCode
    readonly call: string | undefined
    readonly service: string | undefined
  }
  /** A value was not believed, could not be read or did not fit. */
  dropped: {
    readonly direction: 'in' | 'out'
    readonly field: string
    readonly reason: DropReason
    /** How many, where one event stands for several. */
    readonly count: number
    readonly remedy?: string
  }
  /** Two values for one field differ; `kept` names the one that counts. */
  conflict: { readonly direction: 'in' | 'out'; readonly field: string; readonly kept: string }
  /** Outside production: a call went out in no scope, or a watched scope leaks; once per place in the code. */
  lost: {
    readonly kind: string
    readonly place: string
    /** The frame of the place and those behind it, one a line. */
    readonly stack: string
    readonly remedy: string
  }
  /** Something that an operator wants to find later: announcing, claims, acting for another user, switching off. */
  audit: { readonly action: string; readonly facts: Readonly<Record<string, unknown>> }
}

/** The name of a channel of the kit; on `node:diagnostics_channel` it is called `waybill:<name>`. */
export type EventName = keyof WaybillEvents

/** All channels, in the order of a request's life. */
export const eventNames: readonly EventName[] = [
  'adopted',
  'injected',
  'selected',
  'settled',
  'refused',
  'dropped',
  'conflict',
  'lost',
  'audit',
]

/** The channels themselves. */
export type EventChannels = { readonly [Name in EventName]: Channel }

let channels: EventChannels | undefined

function open(): EventChannels {
  // Held here for good: node:diagnostics_channel keeps a channel by a weak reference only.
  return Object.fromEntries(
    eventNames.map((name) => [name, channel(`waybill:${name}`)]),
  ) as unknown as EventChannels
}

/**
 * The channels, opened by whoever asks first. On the way of a request they are looked at by their own names, which is
 * cheaper than {@link hasSubscribers}.
 */
export function eventChannels(): EventChannels {
  return (channels ??= open())
}

/** True if somebody listens, so that a payload is made only then. */
export function hasSubscribers(name: EventName): boolean {
  return eventChannels()[name].hasSubscribers
}

/** Hands an event to the subscribers. Ask {@link hasSubscribers} first where making the payload costs something. */
export function publish<Name extends EventName>(name: Name, event: WaybillEvents[Name]): void {
  const target = eventChannels()[name]
  if (target.hasSubscribers) target.publish(event)
}

/**
 * Listens to a channel of the kit; events of every copy and kit of the process arrive.
 * A listener that throws changes no call: Node reports it as an uncaught exception.
 * @returns a function that ends the subscription.
 */
export function subscribe<Name extends EventName>(
  name: Name,
  listener: (event: WaybillEvents[Name]) => void,
): () => void {
  const target = eventChannels()[name]
  const handler = (message: unknown): void => listener(message as WaybillEvents[Name])
  target.subscribe(handler)
  return () => {
    target.unsubscribe(handler)
  }
}
