import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Call, Stamp } from '@waybill/core/adapter'
import { headerLines, textOf, type HeaderLines } from '../node-http/header-lines.js'
import { hopDestination } from '../node-http/hop-destination.js'
import {
  onBaggageAdded,
  setBaggage,
  UNDICI_CREATED,
  type UndiciRequest,
} from '../node-http/undici-request.js'

const HEADER = 'baggage'

/** The kit has written the whole header. */
const addNoBaggage = onBaggageAdded(() => {})

/**
 * Keeps the `baggage` of hops that kits send by undici as the kits have written it. A pool with a limit of connections makes a
 * request when one is free, in the context of whoever has freed it: there nothing says that a kit is sending, and an instrumentation
 * adds the baggage of another request.
 */
export class HopBaggage {
  /** How many attempts on their way are known by this. */
  readonly #sending = new Map<string, number>()

  listen(): void {
    subscribe(UNDICI_CREATED, this.#created)
  }

  ignore(): void {
    unsubscribe(UNDICI_CREATED, this.#created)
  }

  /** Knows an attempt from now on. @returns an end of that, for when it is answered. */
  keep(call: Call, stamp: Stamp): () => void {
    if (call.url === undefined) return () => {}
    const written = writtenOn(call, stamp)
    const known = call.fleet ? written : outside(call.url, written)
    this.#sending.set(known, (this.#sending.get(known) ?? 0) + 1)
    return () => {
      const left = (this.#sending.get(known) ?? 0) - 1
      if (left > 0) this.#sending.set(known, left)
      else this.#sending.delete(known)
    }
  }

  /** An instrumentation that listens, too, may come before or after. */
  readonly #created = (message: unknown): void => {
    if (this.#sending.size === 0) return
    const { request } = message as { readonly request: UndiciRequest }
    if (!Array.isArray(request.headers)) return
    const lines = headerLines(request.headers)
    const written = this.#writtenOn(request, lines)
    if (written === undefined) return
    if ((lines.get(HEADER) ?? '') !== written) setBaggage(request, written)
    addNoBaggage(request)
  }

  /** What a kit has written on this request, as its whole header or the first of its lines; undefined where none is known to send it. */
  #writtenOn(request: UndiciRequest, lines: HeaderLines): string | undefined {
    const { url } = hopDestination(request)
    const line = lines.lines.find(([name]) => name.toLowerCase() === HEADER)
    return [lines.get(HEADER) ?? '', textOf(line?.[1]) ?? '', ''].find(
      (text) => this.#sending.has(text) || this.#sending.has(outside(url, text)),
    )
  }
}

/** The whole `baggage` header of an attempt; '' where it bears none. */
function writtenOn(call: Call, { set, remove }: Stamp): string {
  const written = set.find(([name]) => name === HEADER)?.[1]
  return written ?? (remove.includes(HEADER) ? '' : (call.headers(HEADER) ?? ''))
}

/**
 * A hop that leaves the fleet is known by where it goes, too: its text is not the kit's, and may be none. A call past the kit to the
 * same URL at the same time may be taken for it, and then bears no member that was added.
 */
function outside({ origin, pathname, search }: URL, written: string): string {
  return `${origin}${pathname}${search} ${written}`
}
