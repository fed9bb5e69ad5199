import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a server has found on a call, in JSON as it answers. */
export interface Arrived {
  /** Which server it was. */
  readonly at: string
  readonly tag: string | null
  readonly key: string | null
  /** Each line of that name, as it came. */
  readonly baggage: readonly string[]
  readonly traces: number
}

/** The servers that an application calls. Nothing of the kit runs in them. */
export class Neighbours {
  readonly #servers: Server[] = []

  /** Opens one more. @returns its port, on 127.0.0.1 and, by that name, `localhost`. */
  async open(at: string): Promise<number> {
    const server = createServer(({ headers, rawHeaders }, res) => {
      const lines = (name: string): string[] =>
        rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
      const one = (name: string): string | null => headers[name]?.toString() ?? null
      const arrived: Arrived = {
        at,
        tag: one('clk'),
        key: one('x-shard-key'),
        baggage: lines('baggage'),
        traces: lines('traceparent').length,
      }
      res.setHeader('content-type', 'application/json').end(JSON.stringify(arrived))
    })
    this.#servers.push(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  }

  close(): void {
    for (const server of this.#servers) {
      server.close()
      server.closeAllConnections()
    }
  }
}
