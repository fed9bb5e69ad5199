import {
  HttpCarrier,
  requestOrigin,
  type Arrival,
  type Inbound,
  type PeerSocket,
  type Seam,
} from '@waybill/core/adapter'

type HeaderValue = number | string | readonly string[]

/** The members of a request that are touched: those of node:http, of http2's compatible API and of express. */
export interface IncomingRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** Node makes it with the request; what only looks like a request may have none. */
  readonly rawTrailers?: readonly string[]
  readonly trailers?: object
  readonly httpVersionMajor: number
  /** Null on one that was made without a connection. */
  readonly socket: PeerSocket | null
  /** HTTP/2 alone. */
  readonly stream?: { readonly endAfterHeaders: boolean }
  emit(event: string | symbol, ...args: unknown[]): boolean
}

/** The members of a reply that are touched. */
export interface ServerReply {
  readonly headersSent: boolean
  /** Null while the replies to former requests on the connection are awaited, and once this one is sent. */
  readonly socket?: unknown
  statusCode: number
  emit(event: string | symbol, ...args: unknown[]): boolean
  getHeader(name: string): HeaderValue | undefined
  setHeader(name: string, value: HeaderValue): unknown
  appendHeader(name: string, value: string | readonly string[]): unknown
  removeHeader(name: string): void
  writeHead(status: number, ...rest: unknown[]): unknown
  write(...args: never[]): unknown
  end(body: string): unknown
}

/**
 * What core's `adopt` is told of a request. It keeps the headers until it has read them, nothing else. Each look at a request costs a
 * walk up its prototypes once express has given it others, so method and path are looked at for an edge alone.
 * @param seam set where no listener of the application's takes it in, but a seam below all of them.
 */
export function arrivalOf(req: IncomingRequest, inbound: Inbound, seam?: Seam): Arrival {
  const isEdge = inbound === 'edge'
  return {
    kind: 'http',
    carrier: new HttpCarrier(req.headers, requestOrigin(req)),
    inbound,
    peer: req.socket ?? undefined,
    method: isEdge ? req.method : undefined,
    url: isEdge ? req.url : undefined,
    seam,
  }
}
