import type { ClientRequest, IncomingMessage } from 'node:http'
import { finished } from 'node:stream'
import type { Reply } from '@waybill/core/adapter'

/** What node:http emits when an answer has come, with what it emits it with. */
export interface ClientAnswer {
  readonly event: 'response' | 'upgrade' | 'connect'
  readonly response: IncomingMessage
  /** Of an upgrade or a tunnel: the connection, and what came over it already. */
  readonly rest: readonly unknown[]
}

/**
 * What becomes of one request of node:http.
 * @param takes node:http asks before it hands over a connection: where nobody listens it is closed.
 */
export function clientReply(
  request: ClientRequest,
  takes: (event: 'upgrade' | 'connect') => boolean,
): Promise<Reply<ClientAnswer>> {
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      // In whatever way it ends: `done` never rejects.
      const done = new Promise<void>((end) => finished(response, () => end()))
      resolve(replyOf({ event: 'response', response, rest: [] }, done))
    })
    for (const event of ['upgrade', 'connect'] as const) {
      if (!takes(event)) continue
      request.on(event, (response: IncomingMessage, ...rest: unknown[]) => {
        resolve(replyOf({ event, response, rest }, Promise.resolve()))
      })
    }
  })
}

function replyOf(value: ClientAnswer, done: Promise<void>): Reply<ClientAnswer> {
  return { ...replyHead(value.response), value, done }
}

/** The head of an answer, as interceptors and reply notes look at it. */
export function replyHead({ statusCode, headers }: IncomingMessage): Pick<Reply, 'status' | 'header'> {
  return {
    ...(statusCode === undefined ? {} : { status: statusCode }),
    header(name) {
      const line = headers[name]
      return Array.isArray(line) ? line.join(', ') : line
    },
  }
}
