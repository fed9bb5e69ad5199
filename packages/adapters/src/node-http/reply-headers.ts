import { ROUTE_HEADER } from '@waybill/core/adapter'
import type { ServerReply } from './incoming-request.js'
import type { RouteList } from './route-list.js'

/** What the kit has to say in a reply's headers. */
export interface ReplyHeaders {
  /** The reply belongs to one tag: no cache may store it, whatever the application says. */
  readonly tagged: boolean
  /** Added to `Vary`. */
  readonly vary: string | undefined
  /** Who served. */
  readonly route: RouteList | undefined
}

/** On a reply: what is to be added. A listener that takes a request over from a seam has another say. */
const ADDED: unique symbol = Symbol.for('@waybill/adapters.reply-headers') as never

type HeaderPair = readonly [name: string, value: string | readonly string[]]

/**
 * Adds the kit's headers at the last moment, when the reply's own are complete: `writeHead` is the one way that all
 * of them go (implicit headers, `flushHeaders`, `pipe`, express's `send` and `sendFile`).
 */
export function addReplyHeaders(res: ServerReply & { [ADDED]?: ReplyHeaders }, added: ReplyHeaders): void {
  const isShadowed = res[ADDED] !== undefined
  res[ADDED] = added
  if (isShadowed) return
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the reply it belongs to
  const writeHead = res.writeHead
  res.writeHead = function (this: ServerReply & { [ADDED]?: ReplyHeaders }, ...args) {
    // A second writeHead is the application's error; node:http says so better than we would.
    if (this.headersSent) return writeHead.apply(this, args)
    const { tagged, vary, route } = this[ADDED] ?? added
    const given = givenHeaders(args)
    if (given !== undefined) applyGiven(this, given)
    if (tagged) this.setHeader('Cache-Control', 'private, no-store')
    if (vary !== undefined) this.setHeader('Vary', mergeVary(this.getHeader('Vary'), vary))
    const told = route?.text
    if (told !== undefined) this.setHeader(ROUTE_HEADER, told)
    const result: unknown =
      typeof args[1] === 'string' ? writeHead.call(this, args[0], args[1]) : writeHead.call(this, args[0])
    route?.close()
    return result
  }
}

/** The headers among the arguments of `writeHead(status[, reason][, headers])`. */
function givenHeaders([, second, third]: readonly unknown[]): object | undefined {
  const headers = typeof second === 'string' ? third : (third ?? second)
  return typeof headers === 'object' && headers !== null ? headers : undefined
}

/** Puts them on the reply as node:http does where others have been set before. The caller's object stays as it is. */
function applyGiven(res: ServerReply, headers: object): void {
  if (!Array.isArray(headers)) {
    for (const [name, value] of Object.entries(headers) as HeaderPair[]) res.setHeader(name, value)
    return
  }
  const pairs = pairsOf(headers as readonly unknown[])
  for (const [name] of pairs) res.removeHeader(name)
  for (const [name, value] of pairs) res.appendHeader(name, value)
}

/** `[['a', '1']]` and `['a', '1']` are both allowed. */
function pairsOf(list: readonly unknown[]): readonly HeaderPair[] {
  if (Array.isArray(list[0])) return list as readonly HeaderPair[]
  const pairs: HeaderPair[] = []
  for (let index = 0; index < list.length; index += 2) {
    pairs.push([list[index], list[index + 1]] as unknown as HeaderPair)
  }
  return pairs
}

/** `Vary` with more names, each once. */
function mergeVary(present: number | string | readonly string[] | undefined, names: string): string {
  const text = present === undefined ? '' : String(present)
  const listed = text.split(',').map((name) => name.trim())
  if (listed.includes('*')) return text
  const known = new Set(listed.map((name) => name.toLowerCase()))
  return [...listed, ...names.split(', ').filter((name) => !known.has(name))]
    .filter((name) => name !== '')
    .join(', ')
}
