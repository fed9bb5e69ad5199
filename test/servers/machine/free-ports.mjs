import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below those that a system hands out by itself (Linux from 32768, macOS from 49152), so that no connection takes the port
 * while the server is down, and below those that the conformance suite keeps closed.
 */
const FIRST = 15_000
const PORTS = 5000

const randomPort = () => FIRST + randomInt(PORTS)

/** @param {number} port */
const listen = async (port) => {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return server
  } catch {
    return undefined
  }
}

/**
 * Ports of 127.0.0.1 on which nobody listens.
 * @param {number} count
 * @returns {Promise<number[]>}
 */
export const freePorts = async (count) => {
  /** @type {Map<number, import('node:net').Server>} */
  const held = new Map()
  while (held.size < count) {
    const port = randomPort()
    const server = await listen(port)
    if (server !== undefined) held.set(port, server)
  }
  for (const server of held.values()) {
    server.close()
    await once(server, 'close')
  }
  return [...held.keys()]
}
