import { Agent, request } from 'node:http'

/** One answer, with what the reply told of the way. */
export interface Answer {
  readonly status: number
  readonly body: unknown
  /** `waybill-route`, as it came. */
  readonly route: string
  readonly cacheControl: string | undefined
  readonly tookMs: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 })

/** Sends one GET and reads the answer whole. */
export function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { 'waybill-explain': '1', ...headers } }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (chunk: string) => {
        text += chunk
      })
      reply.once('error', reject)
      reply.once('end', () => {
        resolve({
          status: reply.statusCode ?? 0,
          body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text,
          route: String(reply.headers['waybill-route'] ?? ''),
          cacheControl: reply.headers['cache-control'],
          tookMs: performance.now() - started,
        })
      })
    })
    sent.once('error', reject)
    sent.end()
  })
}

/** Closes the connections that are kept alive. */
export function hangUp(): void {
  agent.destroy()
}
