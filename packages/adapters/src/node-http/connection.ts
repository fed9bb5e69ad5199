import type { RequestOptions } from 'node:https'
import { connect as connectTcp, type Socket, type TcpNetConnectOpts } from 'node:net'
import { checkServerIdentity as checkIdentity, connect as connectTls, type ConnectionOptions } from 'node:tls'
import { sentOf, WaybillError, type Target } from '@waybill/core/adapter'
import { connectTimer } from './connect-timer.js'

/**
 * Opens a connection to a target instead of to the host of the URL. `target.connectMs` bounds the TCP connection alone:
 * the kernel accepts for a process that stands at a breakpoint, while its TLS handshake may take as long as the
 * breakpoint does.
 * @param options the request's and the agent's own, merged, as node:http made them for the URL: the name that a certificate is checked against is taken from them.
 * @returns at once: an agent counts no other connections, and goes on with those who wait when one is closed. Where none is
 * made its error is ERR_WAYBILL_UNREACHABLE, with the system's error as the cause.
 */
export function openConnection(target: Target, options: RequestOptions): Socket {
  // `path` would be a Unix socket; host and port are the target's.
  const { path: _path, ...rest } = options
  const towards = { ...rest, host: target.host, port: target.port } as TcpNetConnectOpts & { host: string }
  const socket = target.tls ? secure(towards, options) : connectTcp(towards)
  const destroy = socket._destroy.bind(socket)
  // Before anybody hears of the error; what the application destroys a request with stays as it is.
  socket._destroy = (error, done) => {
    destroy(error !== null && sentOf(error) === 'no' ? unreachable(target, error) : error, done)
  }
  socket.once('connect', () => (socket._destroy = destroy))
  if (target.connectMs !== undefined) {
    const stopTimer = connectTimer(target.connectMs, () => socket.destroy(connectTimedOut(target)))
    socket.once('connect', stopTimer).once('close', stopTimer)
  }
  return socket
}

function secure(
  towards: TcpNetConnectOpts & { host: string },
  { host, servername, checkServerIdentity }: RequestOptions,
): Socket {
  // An address cannot be a server name (SNI), yet the certificate is checked against it.
  const name = servername ?? ''
  const verified = name === '' ? (host ?? towards.host) : name
  const check = checkServerIdentity ?? checkIdentity
  const socket = connectTls({
    ALPNProtocols: ['http/1.1'],
    ...(towards as ConnectionOptions),
    servername: name,
    checkServerIdentity: (_host, certificate) => check(verified, certificate),
  })
  // These node:net takes from its options, node:tls does not.
  return socket.setNoDelay(towards.noDelay).setKeepAlive(towards.keepAlive, towards.keepAliveInitialDelay)
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
