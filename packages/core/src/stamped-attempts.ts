import type { Call } from './call.js'
import type { Request } from './request.js'
import type { Stamp } from './stamp.js'

/** A call on the wire, as a seam sees it. */
export interface SeenCall {
  readonly url: URL
  /** The name in lower case; several lines are joined by a comma. */
  headers(name: string): string | undefined
}

interface StampedAttempt {
  readonly call: Call
  /** As it was written; undefined on a call that leaves the fleet. */
  readonly set: Stamp['set'] | undefined
  /** True once it was found on the wire. */
  found: boolean
}

/**
 * Attempts that kits of this thread have stamped and their clients have not answered yet, by the request that they are made
 * in. A seam below the clients asks for them: what is stamped is not stamped again. Kept only while there is such a seam.
 */
export class StampedAttempts {
  /** How many seams ask. */
  seams = 0
  /** Those of calls in no scope under undefined. */
  readonly #ofRequest = new Map<Request | undefined, Set<StampedAttempt>>()

  /** Keeps an attempt while it is sent. @param request that of the scope in which it is sent. */
  keep<T>(request: Request | undefined, call: Call, { set }: Stamp, send: () => Promise<T>): Promise<T> {
    const attempt: StampedAttempt = { call, set: call.fleet ? set : undefined, found: false }
    const remove = this.#add(request, attempt)
    const sent = send()
    sent.then(remove, remove)
    return sent
  }

  /**
   * True for a call of this request that bears what one of its attempts was stamped with, and nothing else of ours: the text of
   * `baggage` alone may also be a copy of an outsider's.
   * @param names of the headers of ours besides `baggage`, in lower case.
   */
  has(request: Request | undefined, seen: SeenCall, names: readonly string[]): boolean {
    return meet(this.#ofRequest.get(request), (attempt) => bears(attempt, seen, names)) !== undefined
  }

  /** The same for a call that nobody knows the request of. It goes where the attempt goes, whoever has made that. */
  hasAnybodys(seen: SeenCall, names: readonly string[]): boolean {
    for (const attempts of this.#ofRequest.values()) {
      const met = meet(attempts, (attempt) => bears(attempt, seen, names) && goesTo(attempt, seen.url))
      if (met !== undefined) return true
    }
    return false
  }

  /**
   * What a call of this request may be that bears something else: the first attempt to where it goes, since a tracer has
   * written over that one, or nothing was written. Another call to there may be taken for it.
   */
  likely(request: Request | undefined, seen: SeenCall): Call | undefined {
    const bearsBaggage = seen.headers('baggage') !== undefined
    const attempt = meet(
      this.#ofRequest.get(request),
      (one) => !one.found && (one.set === undefined || bearsBaggage) && goesTo(one, seen.url),
    )
    return attempt?.call
  }

  /** @returns what takes it out again. */
  #add(request: Request | undefined, attempt: StampedAttempt): () => void {
    const attempts = this.#ofRequest.get(request) ?? new Set()
    this.#ofRequest.set(request, attempts.add(attempt))
    return () => {
      attempts.delete(attempt)
      if (attempts.size === 0) this.#ofRequest.delete(request)
    }
  }
}

function meet(
  attempts: Iterable<StampedAttempt> = [],
  isIt: (attempt: StampedAttempt) => boolean,
): StampedAttempt | undefined {
  for (const attempt of attempts) {
    if (!isIt(attempt)) continue
    attempt.found = true
    return attempt
  }
  return undefined
}

function bears({ set }: StampedAttempt, seen: SeenCall, names: readonly string[]): boolean {
  return (
    set !== undefined &&
    set.every(([name, value]) => seen.headers(name) === value) &&
    names.every((name) => seen.headers(name) === undefined || set.some(([own]) => own === name))
  )
}

/** A target's address may stand in the place of the service's. */
function goesTo({ call: { url: called, target } }: StampedAttempt, url: URL): boolean {
  if (called?.host === url.host) return true
  return (
    target !== undefined &&
    unbracketed(target.host) === unbracketed(url.hostname) &&
    target.port === portOf(url)
  )
}

function unbracketed(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}
