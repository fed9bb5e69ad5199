import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { listenOnLoopback } from './listen-on-loopback.js'
import type { RawHeaders } from './names-of-ours.js'

/** One request as it came over the wire. */
export interface Heard extends RawHeaders {
  readonly method: string
  readonly url: string
  readonly body: string
  /** Number of the connection, from 1. */
  readonly connection: number
}

/** What the server does with a request; default: status 200, text `ok`. */
export type Answer = (heard: Heard, response: ServerResponse, request: IncomingMessage) => unknown

/** The far side of an outbound hop: plain node:http, without the kit. */
export interface FarServer {
  readonly port: number
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  /** Every request whose body has ended, in order. */
  readonly heard: readonly Heard[]
  close(): Promise<void>
}

export async function farServer(
  answer: Answer = (_heard, response) => response.end('ok'),
): Promise<FarServer> {
  const heard: Heard[] = []
  const connections = new WeakMap<Socket, number>()
  let opened = 0
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const one = hear(request, Buffer.concat(pieces).toString(), connections.get(request.socket) ?? 0)
      heard.push(one)
      answer(one, response, request)
    })
  })
  server.on('connection', (socket) => connections.set(socket, ++opened))
  const { port, close } = await listenOnLoopback(server)
  return {
    port,
    origin: `http://127.0.0.1:${String(port)}`,
    heard,
    close,
  }
}

function hear(request: IncomingMessage, body: string, connection: number): Heard {
  const { rawHeaders } = request
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    rawHeaders,
    body,
    connection,
    lines: (name) =>
      rawHeaders.filter((_, index) => rawHeaders[index - 1]?.toLowerCase() === name && index % 2 === 1),
  }
}
