import { once } from 'node:events'
import type { EventEmitter } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WaybillError } from '@waybill/core/adapter'
import type { Clock } from '@waybill/core/adapter'

/** What `announce` needs of a server; those of `node:net`, `node:http`, `node:https` and `node:http2` have it. */
export interface AnnouncedServer extends EventEmitter {
  readonly listening: boolean
  address(): AddressInfo | string | null
  close(done?: (error?: Error) => void): unknown
  closeIdleConnections?(): void
  closeAllConnections?(): void
}

/** How often connections that have become idle meanwhile are closed. */
const IDLE_EVERY_MS = 50

/**
 * Where the server listens, once it does.
 *
 * @throws WaybillError `ERR_WAYBILL_ANNOUNCE` for a server on a pipe or socket file; and the server's own error where
 * it cannot listen.
 */
export async function listeningAddress(server: AnnouncedServer): Promise<AddressInfo> {
  if (!server.listening) await once(server, 'listening')
  const address = server.address()
  if (address !== null && typeof address === 'object') return address
  throw new WaybillError(
    'ERR_WAYBILL_ANNOUNCE',
    { listensOn: address ?? 'nothing' },
    { remedy: 'Announce a server that listens on a TCP port.' },
  )
}

/**
 * Takes no new connection, lets what is under way end, and closes each kept-alive connection as it becomes idle.
 * After `drainMs` the rest is cut off.
 */
export function drain(server: AnnouncedServer, clock: Clock, drainMs: number): Promise<void> {
  if (!server.listening) return Promise.resolve()
  return new Promise((resolve) => {
    const stopIdle = clock.every(IDLE_EVERY_MS, () => server.closeIdleConnections?.())
    const stopWaiting = clock.after(drainMs, () => server.closeAllConnections?.())
    server.close(() => {
      stopIdle()
      stopWaiting()
      resolve()
    })
    server.closeIdleConnections?.()
  })
}
