import { Agent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { textOf } from './text-of.js'

/** A request that the near side of an inbound hop sends. */
export interface Sending {
  readonly method?: string
  readonly path?: string
  /** Lines, in order; a name may come twice. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** Pieces of the body, sent apart. */
  readonly body?: readonly string[]
  /** Default: a connection of its own, closed after the answer. */
  readonly agent?: Agent
}

/** What came back. */
export interface Answered {
  readonly status: number
  /** Lines, in order, without `Date`; names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly text: string
  /** All lines of one header, joined by a comma; undefined where there is none. */
  header(name: string): string | undefined
}

const ANSWER_WITHIN_MS = 5_000

/** Opens a request and sends its head; the body is up to the caller. */
export function begin(port: number, sending: Sending): ClientRequest {
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    method: sending.method ?? 'GET',
    path: sending.path ?? '/',
    agent: sending.agent ?? new Agent({ keepAlive: false }),
  })
  for (const [name, value] of sending.headers ?? []) request.appendHeader(name, value)
  request.setTimeout(ANSWER_WITHIN_MS, () => {
    request.destroy(new Error(`no answer within ${String(ANSWER_WITHIN_MS)} ms`))
  })
  return request
}

/** The near side of an inbound hop: plain node:http, without the kit. Sends a request and reads the whole answer. */
export async function send(port: number, sending: Sending = {}): Promise<Answered> {
  const request = begin(port, sending)
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject)
  })
  for (const piece of sending.body ?? []) {
    request.write(piece)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  request.end()
  return readAnswer(await response)
}

async function readAnswer(response: IncomingMessage): Promise<Answered> {
  const text = await textOf(response)
  const headers: [string, string][] = []
  for (let index = 0; index < response.rawHeaders.length; index += 2) {
    const name = response.rawHeaders[index]?.toLowerCase() ?? ''
    if (name !== 'date') headers.push([name, response.rawHeaders[index + 1] ?? ''])
  }
  return {
    status: response.statusCode ?? 0,
    headers,
    text,
    header(name) {
      const lines = headers.filter(([own]) => own === name)
      return lines.length === 0 ? undefined : lines.map(([, value]) => value).join(', ')
    },
  }
}
