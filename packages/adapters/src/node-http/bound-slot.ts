import { IncomingMessage } from 'node:http'
import { isAdopted, requestOrigin, runWithWaybill, type Waybill } from '@waybill/core/adapter'
import type { IncomingRequest } from './incoming-request.js'

/** Symbol.for: what one copy of the package binds is known to the others. */
export const BOUND = Symbol.for('@waybill/adapters.bound')

/** Marks an `emit` that looks into the slot. */
const READS_SLOT = Symbol.for('@waybill/adapters.reads-bound')

interface Emit {
  (event: string | symbol, ...args: unknown[]): boolean
  [READS_SLOT]?: true
}

/**
 * A request whose constructor declares a slot for the waybill in whose scope its events run: filling it adds no property
 * and replaces no method.
 */
export interface SlottedRequest extends Pick<IncomingRequest, 'headers' | 'rawTrailers' | 'trailers'> {
  [BOUND]?: Waybill | undefined
  readonly emit: Emit
}

/**
 * Gives the requests that inherit from `prototype` an `emit` that looks into their slot; one without a slot, or with an
 * empty one, emits as ever. Done once for a prototype, by whichever copy of the package comes first. A prototype with an
 * `emit` of its own, or a frozen one, is left alone: then `emit` is shadowed for each request.
 */
export function bindEmit(prototype: object): void {
  if (Object.hasOwn(prototype, 'emit') || !Object.isExtensible(prototype)) return
  const emit: Emit = function (this: SlottedRequest, ...args): boolean {
    const waybill = this[BOUND]
    // Looked up at each call: a patch of node:http's that comes later counts.
    const { prototype: above } = IncomingMessage
    // An event emitted by the handler keeps the scope it is emitted in, where that is one of this request.
    return waybill === undefined || isAdopted(requestOrigin(this))
      ? (above.emit as Emit).apply(this, args)
      : runWithWaybill(waybill, () => (above.emit as Emit).apply(this, args))
  }
  emit[READS_SLOT] = true
  Object.defineProperty(prototype, 'emit', { value: emit, writable: true, configurable: true })
}

/** True if the request's events run in the scope of the waybill in its slot, once there is one. */
export function readsSlot(req: SlottedRequest): boolean {
  return BOUND in req && req.emit[READS_SLOT] === true
}
