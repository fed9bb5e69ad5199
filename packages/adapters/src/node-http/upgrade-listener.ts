import { STATUS_CODES } from 'node:http'
import {
  adopt,
  isAdopted,
  listenerInbound,
  REFUSED_HEADER,
  refusalOf,
  requestOrigin,
  takesOver,
  type Kit,
  type Seam,
  type WaybillError,
} from '@waybill/core/adapter'
import type { AdoptOptions } from './adopt-request.js'
import { arrivalOf, type IncomingRequest } from './incoming-request.js'

/** The members of an upgraded connection that are touched. */
export interface UpgradeSocket {
  on(event: 'error', listener: () => void): unknown
  end(text: string): unknown
}

/**
 * A listener of `upgrade` (or `connect`) around the application's, as a websocket server has one:
 * `server.on('upgrade', waybillUpgradeListener(kit, (req, socket, head) => { … }))`. The handshake is adopted and looked
 * at like any request. What comes over the connection later belongs to no request: bind it with `bindWaybill(fn)`.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION as for `waybillListener`.
 */
export function waybillUpgradeListener<Req extends IncomingRequest, Socket extends UpgradeSocket, Head>(
  kit: Kit,
  listener: (req: Req, socket: Socket, head: Head) => unknown,
  options: Pick<AdoptOptions, 'inbound'> = {},
): (req: Req, socket: Socket, head: Head) => void {
  const adopting = adoptUpgrade(kit, options)
  return (req, socket, head) => {
    adopting(req, socket, () => {
      listener(req, socket, head)
    })
  }
}

/** Takes an upgrade in and goes on in its scope, or refuses it. */
export type AdoptUpgrade = (req: IncomingRequest, socket: UpgradeSocket, proceed: () => void) => void

/**
 * Settles once, for a listener, what does not change from upgrade to upgrade.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION as for `waybillListener`.
 * @param seam as for `adoptRequest`.
 */
export function adoptUpgrade(kit: Kit, options: Pick<AdoptOptions, 'inbound'>, seam?: Seam): AdoptUpgrade {
  const inbound = seam?.inbound ?? listenerInbound(kit, options.inbound)
  return (req, socket, proceed) => {
    if (!kit.disabled && isAdopted(requestOrigin(req)) && !takesOver(kit, inbound)) {
      proceed()
      return
    }
    const arrival = arrivalOf(req, inbound, seam)
    const adopted = kit.disabled ? undefined : adopt(kit, arrival)
    const refusal = adopted === undefined ? refusalOf(kit, arrival) : adopted.refusal
    if (refusal !== undefined) refuse(socket, refusal)
    else if (adopted === undefined) proceed()
    else adopted.run(proceed)
  }
}

/** node:http has let go of the connection: the answer is written by hand, and nobody else listens for errors. */
function refuse(socket: UpgradeSocket, refusal: WaybillError): void {
  const status = refusal.status ?? 500
  const body = `${refusal.code}: ${refusal.remedy}\n`
  const lines = [
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? 'Refused'}`,
    `${REFUSED_HEADER}: ${refusal.code}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${String(Buffer.byteLength(body))}`,
    'Cache-Control: no-store',
    'Connection: close',
  ]
  socket.on('error', () => {})
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}
