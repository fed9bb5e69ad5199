import {
  adopt,
  edgeVary,
  isAdopted,
  listenerInbound,
  refusalOf,
  requestOrigin,
  runWithWaybill,
  takesOver,
  tryCurrentWaybill,
  type Inbound,
  WaybillError,
  type Kit,
  type Seam,
} from '@waybill/core/adapter'
import { answerRefusal } from './answer-refusal.js'
import { arrivalOf, type IncomingRequest, type ServerReply } from './incoming-request.js'
import { addReplyHeaders } from './reply-headers.js'
import {
  bindEvents,
  bindReplyEvents,
  boundWaybill,
  hasBody,
  isQueued,
  keepEventsBound,
} from './request-events.js'
import { RouteList } from './route-list.js'

/** How a listener takes requests in. */
export interface AdoptOptions {
  /** Who this listener believes; default the kit's. One process may have a public and an internal listener. */
  readonly inbound?: Inbound
  /**
   * Which requests have their events bound to their scope: those with a body (default), all, or none. Without it, code
   * that reads a body by events loses the scope.
   */
  readonly bindRequest?: 'body' | 'always' | 'never'
}

/** Takes a request in and goes on in its scope, or answers it where it may not come in. */
export type AdoptRequest = (req: IncomingRequest, res: ServerReply, proceed: () => void) => void

/**
 * Settles once, for a listener, what does not change from request to request.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION for an option that is none of the documented words, and for
 * `inbound: 'peer'` in production where `trust.peers` was not said.
 * @param seam set by a seam below all listeners, which has checked its `inbound`: a listener with another kit or `inbound`
 * takes over what was adopted there.
 */
export function adoptRequest(kit: Kit, options: AdoptOptions, seam?: Seam): AdoptRequest {
  const inbound = seam?.inbound ?? listenerInbound(kit, options.inbound)
  const bindRequest = checkBindRequest(options.bindRequest)
  const vary = edgeVary(kit, inbound)

  return (req, res, proceed) => {
    if (kit.disabled) {
      const refusal = refusalOf(kit, arrivalOf(req, inbound))
      if (refusal === undefined) proceed()
      else answerRefusal(res, refusal)
      return
    }
    const isCurrent = isAdopted(requestOrigin(req))
    // Adopted, and not current: the scope was lost on the way, behind an upload parser, say.
    const bound = isCurrent ? undefined : boundWaybill(req)
    const isTaken = isCurrent || bound !== undefined
    const isTakenOver = isTaken && takesOver(kit, inbound, bound)
    if (isTaken && !isTakenOver) {
      keepEventsBound(req)
      if (bindRequest === 'always' && bound === undefined) bindOnce(req)
      if (bound === undefined) proceed()
      else runWithWaybill(bound, proceed)
      return
    }
    const adopted = adopt(kit, arrivalOf(req, inbound, seam))
    if (adopted.tagged || adopted.told || vary !== undefined || isTakenOver) {
      const route = adopted.told ? new RouteList() : undefined
      addReplyHeaders(res, { tagged: adopted.tagged, vary, route })
      if (route !== undefined) adopted.tell(route)
    }
    if (adopted.refusal !== undefined) {
      answerRefusal(res, adopted.refusal)
      return
    }
    if (bindRequest === 'always' || (bindRequest === 'body' && hasBody(req))) bindEvents(req, adopted.waybill)
    if (bindRequest !== 'never' && isQueued(req, res)) bindReplyEvents(req, res, adopted.waybill)
    adopted.run(proceed)
  }
}

/** A seam, or a listener further out, binds the events of a request with a body alone. */
function bindOnce(req: IncomingRequest): void {
  const waybill = tryCurrentWaybill()
  if (waybill !== undefined && boundWaybill(req) === undefined) bindEvents(req, waybill)
}

function checkBindRequest(value: AdoptOptions['bindRequest']): 'body' | 'always' | 'never' {
  const checked = value ?? 'body'
  if (!['body', 'always', 'never'].includes(checked)) {
    throw new WaybillError('ERR_WAYBILL_CONFIGURATION', {
      option: 'bindRequest',
      problem: `${JSON.stringify(value)} is none of body, always, never`,
    })
  }
  return checked
}
