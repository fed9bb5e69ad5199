import type { Call } from './call.js'
import type { Request } from './request.js'
import type { Stamp } from './stamp.js'

/** One of them. */
export interface StampedAttempt {
  readonly call: Call
  /** As it was written; undefined on a call that leaves the fleet. */
  readonly baggage: string | undefined
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
  readonly #ofRequest = new WeakMap<Request, StampedAttempt[]>()
  /** Of calls in no scope. */
  readonly #ofNobody: StampedAttempt[] = []

  /** Keeps an attempt while it is sent. @param request that of the scope in which it is sent. */
  keep<T>(request: Request | undefined, call: Call, { set }: Stamp, send: () => Promise<T>): Promise<T> {
    const attempts = this.#of(request)
    const baggage = call.fleet ? set.find(([name]) => name === 'baggage')?.[1] : undefined
    const attempt: StampedAttempt = { call, baggage, found: false }
    attempts.push(attempt)
    const remove = (): void => {
      attempts.splice(attempts.indexOf(attempt), 1)
    }
    const sent = send()
    sent.then(remove, remove)
    return sent
  }

  /**
   * The attempt that a call on the wire is: it bears the very text that was written. Or it is the first one to where that attempt
   * goes, and bears no such text since a tracer has written over it, or since none was written: then another call to there may
   * be taken for it.
   */
  find(request: Request | undefined, url: URL, baggage: string | undefined): StampedAttempt | undefined {
    const attempts = this.#of(request)
    const attempt =
      attempts.find((one) => one.baggage !== undefined && one.baggage === baggage) ??
      attempts.find(
        (one) => !one.found && (one.baggage === undefined || baggage !== undefined) && goesTo(one, url),
      )
    if (attempt !== undefined) attempt.found = true
    return attempt
  }

  #of(request: Request | undefined): StampedAttempt[] {
    if (request === undefined) return this.#ofNobody
    let attempts = this.#ofRequest.get(request)
    if (attempts === undefined) this.#ofRequest.set(request, (attempts = []))
    return attempts
  }
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
