import { AsyncResource } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  baggageBeside,
  carryCall,
  isIdempotentMethod,
  type CarriedCall,
  type Kit,
} from '@waybill/core/adapter'
import { headerLines, stampedLike, type HeaderLines } from '../node-http/header-lines.js'
import { hopDestination } from '../node-http/hop-destination.js'
import {
  onBaggageAdded,
  setBaggage,
  UNDICI_CREATED,
  type UndiciRequest,
} from '../node-http/undici-request.js'
import { isWatched } from '../node-http/watched-handler.js'
import { asNobody } from './as-nobody.js'
import { callerOf } from './bound-fetch.js'
import type { KitOf } from './register.js'

/** Symbol.for: what one copy of the package has stamped is known to the others. */
const CARRIED: unique symbol = Symbol.for('@waybill/adapters.register.hop') as never

/** As far as a seam looks at it. */
interface SeenRequest extends UndiciRequest {
  onHeaders?: OnHeaders
  /** The same in undici 8. */
  onResponseStart?: OnHeaders
  /** Ends it before it has begun. */
  onError?(error: unknown): void
  /** The same in undici 8. */
  onResponseError?(error: unknown): void
  [CARRIED]?: CarriedCall
}

type OnHeaders = (
  this: SeenRequest,
  status: number,
  headers: unknown,
  resume: () => void,
  text: string,
) => unknown

/**
 * Stamps every request of undici and of the built-in fetch as it is made, whatever copy of undici that is.
 * @returns an undo.
 */
export function carryUndici(kitOf: KitOf): () => void {
  const listeners = {
    [UNDICI_CREATED]: created(kitOf),
    'undici:request:headers': answered,
    'undici:request:error': failed,
    'undici:client:connectError': connectFailed,
  }
  for (const [name, listener] of Object.entries(listeners)) subscribe(name, listener)
  return () => {
    for (const [name, listener] of Object.entries(listeners)) unsubscribe(name, listener)
  }
}

function created(kitOf: KitOf): (message: unknown) => void {
  return (message) => {
    const { request } = message as { readonly request: SeenRequest }
    const kit = kitOf()
    if (kit === undefined || kit.disabled) return
    resumeByNobody(request)
    const handler = handlerOf(request)
    // An adapter of a kit sends it, or another seam has stamped it.
    if (isWatched(handler) || CARRIED in request || !Array.isArray(request.headers)) return
    try {
      const caller = callerOf(handler)
      // undici's own functions keep the context of whoever has called them.
      const context = caller?.context ?? (handler instanceof AsyncResource ? handler : undefined)
      if (context !== undefined) context.runInAsyncScope(stamp, undefined, kit, request, caller)
      else if (hasFailed) asNobody(() => stamp(kit, request))
      else stamp(kit, request)
    } catch (error) {
      // What a subscriber throws is nobody's; the request has to end with it.
      if (request.onError === undefined) request.onResponseError?.(error)
      else request.onError(error)
    }
  }
}

function answered(message: unknown): void {
  const { request, response } = message as {
    readonly request: SeenRequest
    readonly response: { readonly statusCode: number; readonly headers: unknown }
  }
  const { statusCode: status, headers } = response
  if (status < 200 && status !== 101) return
  let lines: HeaderLines | undefined
  request[CARRIED]?.answered({ status, header: (name) => (lines ??= headerLines(headers)).get(name) })
}

function failed(message: unknown): void {
  const { request, error } = message as { readonly request: SeenRequest; readonly error: unknown }
  request[CARRIED]?.failed(error)
}

/** True in the turn in which a connection has failed: undici 6 begins what waits for one in the scope of whoever has opened it. */
let hasFailed = false

function connectFailed(): void {
  hasFailed = true
  queueMicrotask(() => (hasFailed = false))
}

/** @param chain what is known of the redirects that it belongs to. */
function stamp(kit: Kit, request: SeenRequest, chain?: { leftFleet: boolean }): void {
  const { url, leaves } = hopDestination(request)
  const method = request.method.toUpperCase()
  const lines = headerLines(request.headers)
  const call = carryCall(kit, {
    kind: 'http',
    url,
    method,
    headers: (name) => lines.get(name),
    body: 'stream',
    idempotent: isIdempotentMethod(method),
    leftFleet: leaves || chain?.leftFleet === true,
  })
  if (call === undefined) return
  if (!call.fleet && chain !== undefined) chain.leftFleet = true
  request.headers = stampedLike(request.headers, lines, call.stamp)
  request[CARRIED] = call
  mergeBaggage(request)
}

/** A tracer that hears of the request later adds its `baggage`; here it goes into the one that there is. */
const mergeBaggage = onBaggageAdded((request, value) => {
  setBaggage(request, baggageBeside(headerLines(request.headers).get('baggage') ?? '', value))
})

/** What hears of the hop; undici keeps it under a symbol. */
function handlerOf(request: SeenRequest): object | undefined {
  const symbol = Object.getOwnPropertySymbols(request).find(({ description }) => description === 'handler')
  return symbol && (request as unknown as Record<symbol, object | undefined>)[symbol]
}

/**
 * Whoever reads a long answer lets undici read on, to its end, and begin with the next request of the connection: in the scope
 * of the reader, whose tag that one would bear.
 */
function resumeByNobody(request: SeenRequest): void {
  for (const name of ['onHeaders', 'onResponseStart'] as const) {
    const hear = request[name]
    if (hear === undefined) continue
    request[name] = function (status, headers, resume, text) {
      return hear.call(this, status, headers, () => asNobody(resume), text)
    }
  }
}
