import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Says where a service listens, for whoever started it. */
export async function listening(service: string, server: Server): Promise<void> {
  if (!server.listening) await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  console.log(`${service} listens on http://127.0.0.1:${String(port)}`)
}
