import type { PeerSocket } from '@waybill/core/adapter'

type HeaderValue = number | string | readonly string[]

/** The members of a request that are touched: those of node:http, of http2's compatible API and of express. */
export interface IncomingRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly httpVersionMajor: number
  readonly socket: PeerSocket
  emit(event: string | symbol, ...args: unknown[]): boolean
}

/** The members of a reply that are touched. */
export interface ServerReply {
  readonly headersSent: boolean
  statusCode: number
  getHeader(name: string): HeaderValue | undefined
  setHeader(name: string, value: HeaderValue): unknown
  appendHeader(name: string, value: string | readonly string[]): unknown
  removeHeader(name: string): void
  writeHead(status: number, ...rest: unknown[]): unknown
  end(body: string): unknown
}
