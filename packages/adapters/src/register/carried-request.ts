import { AsyncResource } from 'node:async_hooks'
import type { ClientRequest, IncomingMessage } from 'node:http'
import {
  carryCall,
  isIdempotentMethod,
  type CarriedCall,
  type Kit,
  type LostPlace,
} from '@waybill/core/adapter'
import { replyHead } from '../node-http/client-attempt.js'
import { textOf } from '../node-http/header-lines.js'
import type { Destination } from '../node-http/request-destination.js'

/** Symbol.for: what one copy of the package holds is known to the others. */
const CARRIED: unique symbol = Symbol.for('@waybill/adapters.register.request') as never

/** Where a request of node:http goes that no URL tells. */
const UNTOLD = new URL('http://untold.invalid/')

/** A ClientRequest with two functions of its own, the same ones for each, and with what they look up. */
interface HeldRequest extends ClientRequest {
  res?: IncomingMessage | null
  [CARRIED]?: CarriedRequest
  _implicitHeader(): void
}

type Emit = (event: string | symbol, ...args: unknown[]) => boolean

/**
 * A request of node:http on its way. It is stamped as late as it can be, when node:http writes its headers: what the application
 * sets meanwhile, or a tracer, is the caller's.
 */
export class CarriedRequest {
  readonly #kit: Kit
  readonly #destination: Destination
  /** The context in which it was made: whoever writes its body may be another. */
  readonly #context = new AsyncResource('WaybillCall')
  readonly #place: LostPlace | undefined
  #call: CarriedCall | undefined
  #emit!: Emit
  #writeHeaders!: HeldRequest['_implicitHeader']

  /** Made in the context of the call. @param place from where it is made, where somebody would be told. */
  constructor(kit: Kit, destination: Destination, place: LostPlace | undefined) {
    this.#kit = kit
    this.#destination = destination
    this.#place = place
  }

  /**
   * Stamps the request when its headers are written, and hears how it ends. One that is none of node:http's, of a mock, is left
   * alone. No listeners: an answer that nobody listens to is thrown away by node:http, and an upgrade is closed.
   */
  hold(request: ClientRequest): void {
    const held = request as HeldRequest
    if (CARRIED in request || typeof held._implicitHeader !== 'function') return
    held[CARRIED] = this
    this.#writeHeaders = Reflect.get(held, '_implicitHeader')
    held._implicitHeader = stampAndWrite
    this.#emit = Reflect.get(held, 'emit') as Emit
    held.emit = emitAndLook as HeldRequest['emit']
  }

  /** Its headers are about to be written. */
  write(request: HeldRequest): void {
    request._implicitHeader = this.#writeHeaders
    try {
      this.#carry((name) => textOf(request.getHeader(name)))
    } catch (error) {
      // Too deep: node:http drops what a destroyed request writes.
      request.destroy(error as Error)
    }
    const stamp = this.#call?.stamp
    for (const name of stamp?.remove ?? []) request.removeHeader(name)
    for (const [name, value] of stamp?.set ?? []) request.setHeader(name, value)
    request._implicitHeader()
  }

  /** Emits an event of it, having looked at how it ends. */
  emit(request: HeldRequest, event: string | symbol, args: unknown[]): boolean {
    if (event === 'response' || event === 'upgrade' || event === 'connect') {
      this.#call?.answered(replyHead(args[0] as IncomingMessage))
    } else if (event === 'error') this.#call?.failed(args[0])
    else if (event === 'close') {
      if (request.res == null) this.#call?.failed(hangUp())
      else this.#call?.answered(replyHead(request.res))
    }
    return Reflect.apply(this.#emit, request, [event, ...args])
  }

  #carry(headers: (name: string) => string | undefined): void {
    const { url, method } = this.#destination
    this.#call = this.#context.runInAsyncScope(carryCall, undefined, this.#kit, {
      kind: 'http',
      url: url ?? UNTOLD,
      method,
      headers,
      body: 'stream',
      idempotent: isIdempotentMethod(method),
      // A tunnel and a path in absolute form are the business of the proxy that gets them.
      leftFleet: url === undefined || method === 'CONNECT',
      place: this.#place,
    })
  }
}

function stampAndWrite(this: HeldRequest): void {
  this[CARRIED]?.write(this)
}

function emitAndLook(this: HeldRequest, event: string | symbol, ...args: unknown[]): boolean {
  return this[CARRIED]?.emit(this, event, args) ?? false
}

/** What node:http says of a request that is closed without an answer. */
function hangUp(): Error {
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
}
