import { isAdopted, requestOrigin, runWithWaybill, type Waybill } from '@waybill/core/adapter'
import { BOUND, readsSlot, type SlottedRequest } from './bound-slot.js'
import type { IncomingRequest, ServerReply } from './incoming-request.js'

interface BoundEmit {
  (event: string | symbol, ...args: unknown[]): boolean
  [BOUND]?: Waybill
}

/**
 * Makes the events of a request run in the scope of its waybill. Without it they run where the parser runs, and what
 * reads the body by events (older multer, formidable, `req.on('end')`) loses the scope.
 * Only `emit` is concerned: listeners are added, counted and removed as ever. It is shadowed, unless the request has a slot
 * that its `emit` looks into.
 */
export function bindEvents(req: IncomingRequest & SlottedRequest, waybill: Waybill): void {
  if (readsSlot(req)) req[BOUND] = waybill
  else shadowEmit(req, requestOrigin(req), waybill)
}

/**
 * Binds the events anew where the request has been given another prototype since they were bound, whose `emit` knows no
 * slot: that of an app of another copy of express, which was called and not mounted.
 */
export function keepEventsBound(req: IncomingRequest & SlottedRequest & { readonly emit: BoundEmit }): void {
  const waybill = req[BOUND]
  if (waybill !== undefined && req.emit[BOUND] === undefined && !readsSlot(req))
    shadowEmit(req, requestOrigin(req), waybill)
}

/**
 * The same for the events of a reply, and for the callbacks of its `write` and `end`. They need it where the reply waits
 * for those of former requests on its connection (pipelining): then it is sent in the scope of another.
 */
export function bindReplyEvents(req: IncomingRequest, res: ServerReply, waybill: Waybill): void {
  const origin = requestOrigin(req)
  shadowEmit(res, origin, waybill)
  shadowCallback(res, 'write', origin, waybill)
  shadowCallback(res, 'end', origin, waybill)
}

/** True if a reply waits for those of former requests. HTTP/2 does not know that. */
export function isQueued(req: IncomingRequest, res: ServerReply): boolean {
  return res.socket === null && req.httpVersionMajor === 1
}

function shadowEmit(emitter: Pick<IncomingRequest, 'emit'>, origin: object, waybill: Waybill): void {
  const emit = emitter.emit
  const bound: BoundEmit = function (this: unknown, ...args) {
    // An event emitted by the handler keeps the scope it is emitted in, where that is one of this request.
    return isAdopted(origin) ? emit.apply(this, args) : runWithWaybill(waybill, () => emit.apply(this, args))
  }
  bound[BOUND] = waybill
  emitter.emit = bound
}

/** Node 20 calls back by `finish`, Node 24 by the socket's own write, which no event of the reply tells of. */
function shadowCallback(res: ServerReply, name: 'write' | 'end', origin: object, waybill: Waybill): void {
  const send = Reflect.get(res, name) as (this: unknown, ...args: unknown[]) => unknown
  res[name] = function (this: unknown, ...args: unknown[]): unknown {
    const called = args.at(-1)
    if (typeof called !== 'function') return send.apply(this, args)
    const own = (...given: unknown[]): unknown => Reflect.apply(called, this, given)
    const inOwnScope = (...given: unknown[]): unknown =>
      isAdopted(origin) ? own(...given) : runWithWaybill(waybill, () => own(...given))
    return send.apply(this, [...args.slice(0, -1), inOwnScope])
  }
}

/** The waybill in whose scope the events of a request run, where they were bound. */
export function boundWaybill(req: SlottedRequest & { readonly emit: BoundEmit }): Waybill | undefined {
  return req[BOUND] ?? req.emit[BOUND]
}

/** True if events that bring a body may still come. */
export function hasBody(req: IncomingRequest): boolean {
  const { headers } = req
  const length = headers['content-length']
  if (length !== undefined) return length !== '0'
  if (headers['transfer-encoding'] !== undefined) return true
  // HTTP/2 needs neither header; there the stream knows whether anything follows the headers.
  return req.httpVersionMajor > 1 && req.stream?.endAfterHeaders === false
}
