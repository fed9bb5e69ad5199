import { adopt } from '../adopt.js'
import { HttpCarrier } from '../carrier.js'
import type { BodyKind, Reply } from '../call.js'
import type { Kit } from '../kit.js'
import { listenerInbound } from '../listener-inbound.js'
import { isIdempotentMethod } from '../method.js'
import { performCall } from '../perform-call.js'
import { appendNotes } from '../reply-note.js'
import type { Inbound } from '../trust.js'
import { REFUSED_HEADER, ROUTE_HEADER } from '../wire-names.js'

/** A request as it crosses an in-memory hop. */
export interface MemoryRequest {
  readonly url: string
  readonly method?: string
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: BodyKind
}

/** What the far side answers. */
export interface MemoryResponse {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** What the handler returned. */
  readonly value: unknown
}

/** Sends a request to the far side. */
export type MemoryHop = (request: MemoryRequest) => Promise<MemoryResponse>

/**
 * A hop without a socket, for authors of adapters and interceptors: what one kit sends, another adopts, through the
 * same two verbs as over a network.
 * @param to the kit of the far side, what runs there, and who it believes.
 * @param options.remoteAddress where the far side sees the call come from; default 127.0.0.1.
 */
export function memoryHop(
  from: Kit,
  to: {
    readonly kit: Kit
    handler(headers: Readonly<Record<string, string>>): unknown
    readonly inbound?: Inbound
  },
  options: { readonly remoteAddress?: string } = {},
): MemoryHop {
  const remoteAddress = options.remoteAddress ?? '127.0.0.1'
  const arrive = async (
    method: string,
    url: URL,
    headers: Record<string, string>,
  ): Promise<MemoryResponse> => {
    const replyHeaders: Record<string, string> = {}
    const adopted = adopt(to.kit, {
      kind: 'http',
      carrier: new HttpCarrier(headers),
      inbound: listenerInbound(to.kit, to.inbound),
      peer: { remoteAddress },
      method,
      url: url.pathname + url.search,
    })
    if (adopted.told) {
      adopted.tell({
        add(entries) {
          replyHeaders[ROUTE_HEADER] = appendNotes(replyHeaders[ROUTE_HEADER], entries)
        },
      })
    }
    if (adopted.refusal !== undefined) {
      return {
        status: adopted.refusal.status ?? 500,
        headers: { ...replyHeaders, [REFUSED_HEADER]: adopted.refusal.code },
        value: undefined,
      }
    }
    const value: unknown = await adopted.run(() => to.handler(headers))
    return { status: 200, headers: replyHeaders, value }
  }
  return async (request) => {
    const method = request.method ?? 'GET'
    const callers = request.headers ?? {}
    const reply = await performCall(
      from,
      {
        kind: 'http',
        url: new URL(request.url),
        method,
        headers: (name) => (Object.hasOwn(callers, name) ? callers[name] : undefined),
        body: request.body ?? 'none',
        idempotent: isIdempotentMethod(method),
      },
      async (call, stamp): Promise<Reply<MemoryResponse>> => {
        const gone = new Set([...stamp.remove, ...stamp.set.map(([name]) => name)])
        const kept = Object.entries(callers).filter(([name]) => !gone.has(name))
        const response = await arrive(
          method,
          call.url ?? new URL(request.url),
          Object.fromEntries([...stamp.set, ...kept]),
        )
        return {
          status: response.status,
          header: (name) => response.headers[name],
          value: response,
          done: Promise.resolve(),
        }
      },
    )
    return reply.value
  }
}
