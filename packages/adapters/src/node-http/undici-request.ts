import { headerLines, stampedLike } from './header-lines.js'

/** Published with a {@link UndiciRequest} when it is made. */
export const UNDICI_CREATED = 'undici:request:create'

/** A request of undici, one for each network hop. */
export interface UndiciRequest {
  readonly origin: string | URL
  readonly path: string
  readonly method: string
  /** Names and values in turn. undici 5, which is not supported, has a text there. */
  headers: unknown
  addHeader?: AddHeader
}

type AddHeader = (this: UndiciRequest, name: string, value: string) => unknown

/** Writes another `baggage` on a request, or none; see {@link stampedLike}. */
export function setBaggage(request: UndiciRequest, baggage: string): void {
  const set = baggage === '' ? [] : [['baggage', baggage] as const]
  request.headers = stampedLike(request.headers, headerLines(request.headers), { set, remove: ['baggage'] })
}

/**
 * Has a `baggage` that is added to a request later, by a tracer that hears of it, handed to this function instead.
 * @returns what makes it so on one request.
 */
export function onBaggageAdded(
  instead: (request: UndiciRequest, value: string) => void,
): (request: UndiciRequest) => void {
  /** By undici's own, one for each copy of it. */
  const known = new WeakMap<AddHeader, AddHeader>()
  return (request) => {
    if (request.addHeader === undefined) return
    const addHeader: AddHeader = request.addHeader
    let adding = known.get(addHeader)
    if (adding === undefined) {
      adding = function (name, value) {
        if (name.toLowerCase() !== 'baggage') return addHeader.call(this, name, value)
        instead(this, value)
        return this
      }
      known.set(addHeader, adding)
    }
    request.addHeader = adding
  }
}
