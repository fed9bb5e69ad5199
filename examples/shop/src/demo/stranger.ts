import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Arrived } from './trace.js'

/** A server outside of the fleet, in the demo's own process: it answers, and keeps the headers that it was sent. */
export class Stranger {
  readonly url: string
  readonly #server: Server
  readonly #arrivals: Arrived[]

  private constructor(server: Server, arrivals: Arrived[]) {
    this.#server = server
    this.#arrivals = arrivals
    this.url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  }

  static async open(name: string): Promise<Stranger> {
    const arrivals: Arrived[] = []
    const server = createServer((req, res) => {
      arrivals.push({ stranger: name, lines: req.rawHeaders })
      res.setHeader('content-type', 'application/json')
      res.end('{}')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return new Stranger(server, arrivals)
  }

  /** What has come in since the last time. */
  takeArrivals(): readonly Arrived[] {
    return this.#arrivals.splice(0)
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}
