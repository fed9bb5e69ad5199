import { once } from 'node:events'
import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { connect, type AddressInfo, type Server } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** Lets a server listen on 127.0.0.1 until the test is over. */
export async function listen(server: Server & { closeAllConnections?(): void }): Promise<number> {
  onTestFinished(() => {
    server.close()
    server.closeAllConnections?.()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** An answer, read whole. */
export interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Of the client's end of the connection. */
  readonly localPort: number | undefined
}

/** Sends a request by plain node:http, on a connection of its own unless there is an agent. */
export async function send(
  port: number,
  options: RequestOptions = {},
  body?: string | Uint8Array | readonly (string | Uint8Array)[],
): Promise<Answer> {
  const request = httpRequest({ host: '127.0.0.1', port, agent: false, ...options })
  const answered = once(request, 'response')
  if (Array.isArray(body)) {
    for (const piece of body as readonly (string | Uint8Array)[]) {
      request.write(piece)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    request.end()
  } else request.end(body)
  const [reply] = (await answered) as [IncomingMessage]
  const { statusCode: status, headers } = reply
  const { localPort } = reply.socket
  return { status, headers, localPort, text: await textOf(reply) }
}

/** Writes bytes, piece by piece, and reads until the other side closes. */
export async function raw(port: number, ...pieces: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.setTimeout(3000, () => socket.destroy(new Error('still open after 3 s')))
  for (const piece of pieces) {
    socket.write(piece)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return textOf(socket)
}
