import { request as httpRequest, type Agent, type IncomingMessage } from 'node:http'
import type { OutboundReply, OutboundRequest } from '../adapter-record.js'
import { textOf } from '../wire/text-of.js'

/** A request as {@link plainClient} takes it. */
export interface PlainRequest extends OutboundRequest {
  /** Where the connection goes; default: where the URL points. */
  readonly connect?: { readonly host: string; readonly port: number }
  readonly path?: string
}

export type PlainClient = (request: PlainRequest) => Promise<OutboundReply>

/** A host for the doubles: node:http as one function with an answer that was read whole. It follows no redirect. */
export function plainClient(agent: Agent): PlainClient {
  return async (request) => {
    const url = new URL(request.url)
    const sending = httpRequest({
      agent,
      host: request.connect?.host ?? url.hostname,
      port: request.connect?.port ?? Number(url.port || 80),
      path: request.path ?? `${url.pathname}${url.search}`,
      method: request.method,
      headers: { host: url.host, ...request.headers },
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    })
    const responding = new Promise<IncomingMessage>((resolve, reject) => {
      sending.once('response', resolve).once('error', reject)
    })
    sending.end(request.body)
    const response = await responding
    const text = await textOf(response, request.read)
    const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const)
    return { status: response.statusCode ?? 0, headers: Object.fromEntries(headers), text }
  }
}
