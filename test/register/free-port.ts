import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that a system hands out for port 0 (Linux from 32768, macOS from 49152), and beside those of other tests. */
const FIRST = 30_000
const PORTS = 2_700

/** A port of 127.0.0.1 on which nobody listens, for an application that takes its port from outside and does not tell it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + randomInt(PORTS)
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
