import type { RequestOptions } from 'node:https'
import { connect as connectTcp, type Socket, type TcpNetConnectOpts } from 'node:net'
import { checkServerIdentity, connect as connectTls, type ConnectionOptions } from 'node:tls'
import { WaybillError, type Target } from '@waybill/core/adapter'
import { connectTimer } from './connect-timer.js'

/** Called once, with what went wrong or with the connection. */
export type Connected = (error: Error | null, socket: Socket) => void

/**
 * Opens a connection to a target instead of to the host of the URL. `target.connectMs` bounds the TCP connection alone:
 * the kernel accepts for a process that stands at a breakpoint, while its TLS handshake may take as long as the
 * breakpoint does.
 * @param options the request's and the agent's own, merged, as node:http made them for the URL: the name that a certificate is checked against is taken from them.
 * @param connected gets ERR_WAYBILL_UNREACHABLE, with the system's error as its cause, where no connection is made.
 */
export function openConnection(target: Target, options: RequestOptions, connected: Connected): void {
  // `path` would be a Unix socket; host and port are the target's.
  const { path: _path, ...rest } = options
  const socket = connectTcp({ ...rest, host: target.host, port: target.port } as TcpNetConnectOpts)
  const stopTimer =
    target.connectMs === undefined
      ? undefined
      : connectTimer(target.connectMs, () => socket.destroy(connectTimedOut(target)))
  const failed = (error: Error): void => {
    stopTimer?.()
    connected(unreachable(target, error), socket)
  }
  socket.once('error', failed)
  socket.once('connect', () => {
    stopTimer?.()
    socket.removeListener('error', failed)
    connected(null, target.tls ? secure(socket, target, options) : socket)
  })
}

function secure(socket: Socket, target: Target, options: RequestOptions): Socket {
  // An address cannot be a server name (SNI), yet the certificate is checked against it.
  const name = options.servername ?? ''
  const verified = name === '' ? (options.host ?? target.host) : name
  const check = options.checkServerIdentity ?? checkServerIdentity
  return connectTls({
    ALPNProtocols: ['http/1.1'],
    ...(options as ConnectionOptions),
    socket,
    host: target.host,
    port: target.port,
    servername: name,
    checkServerIdentity: (_host, certificate) => check(verified, certificate),
  })
}

/** The error of a target to which no connection could be made. */
export function unreachable(target: Target, cause: Error): WaybillError {
  const { host, port, instance, service = instance?.service } = target
  return new WaybillError(
    'ERR_WAYBILL_UNREACHABLE',
    {
      service,
      instance: instance?.id ?? 'none; this is the baseline address',
      at: `${host.includes(':') ? `[${host}]` : host}:${String(port)}`,
      problem: (cause as { code?: string }).code ?? cause.message,
    },
    { cause },
  )
}

/** What the system would say, had it given up by then. */
export function connectTimedOut({ connectMs }: Target): Error {
  const error = new Error(`no connection within ${String(connectMs)} ms`)
  return Object.assign(error, { code: 'ETIMEDOUT', syscall: 'connect' })
}
