import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that a system hands out for port 0 (Linux from 32768, macOS from 49152). */
const FIRST = 20_000
const PORTS = 10_000

/**
 * A port of 127.0.0.1 on which nobody listens, and nobody will by chance: one that was handed out for port 0 and let go
 * may be handed out to the next server.
 */
export async function closedPort(): Promise<number> {
  for (let port = FIRST + (process.pid % PORTS); ; port = FIRST + ((port + 1 - FIRST) % PORTS)) {
    const server = createServer()
    const isFree = once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.listen(port, '127.0.0.1')
    if (!(await isFree)) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
