import { Server as HttpServer } from 'node:http'
import { createSecureServer, createServer } from 'node:http2'
import { Server as HttpsServer } from 'node:https'
import { listenerInbound, type Kit } from '@waybill/core/adapter'
import { adoptRequest, type AdoptOptions, type AdoptRequest } from '../node-http/adopt-request.js'
import type { IncomingRequest, ServerReply } from '../node-http/incoming-request.js'
import { adoptUpgrade, type AdoptUpgrade, type UpgradeSocket } from '../node-http/upgrade-listener.js'
import type { KitOf } from './register.js'
import { replaceFunction } from './replace-function.js'

type Emit = (this: unknown, event: string | symbol, ...args: unknown[]) => boolean

/** How one kit takes requests in. */
interface Adopting {
  readonly kit: Kit
  readonly request: AdoptRequest
  readonly upgrade: AdoptUpgrade
}

/**
 * Gives the servers of node:http, node:https and node:http2 an `emit` that adopts each request before any listener sees it.
 * A listener with options of its own takes over.
 * @returns an undo.
 */
export function adoptOnServers(kitOf: KitOf, options: AdoptOptions = {}): () => void {
  let adopting: Adopting | undefined
  const adoptingBy = (kit: Kit): Adopting =>
    adopting?.kit === kit ? adopting : (adopting = adoptingOf(kit, options))
  // Whatever the kit refuses, it refuses at the start.
  const kit = kitOf()
  if (kit !== undefined) {
    listenerInbound(kit, options.inbound)
    adoptingBy(kit)
  }
  const undos = serverPrototypes().map((prototype) =>
    replaceFunction(prototype, 'emit', adoptingEmit(prototype, kitOf, adoptingBy)),
  )
  return () => {
    for (const undo of undos) undo()
  }
}

/** node:http2 exports no classes of its servers. */
function serverPrototypes(): readonly object[] {
  const servers = [createServer(), createSecureServer()]
  return [
    HttpServer.prototype,
    HttpsServer.prototype,
    ...servers.map((server) => Object.getPrototypeOf(server) as object),
  ]
}

/** Of a kit that comes later the first request is the first to ask: what such a kit says itself was checked when it was made. */
function adoptingOf(kit: Kit, options: AdoptOptions): Adopting {
  const inbound = options.inbound === undefined ? kit.facts.inbound : listenerInbound(kit, options.inbound)
  const seam = { kit, inbound }
  return { kit, request: adoptRequest(kit, options, seam), upgrade: adoptUpgrade(kit, options, seam) }
}

function adoptingEmit(prototype: object, kitOf: KitOf, adoptingBy: (kit: Kit) => Adopting): Emit {
  const own = Object.getOwnPropertyDescriptor(prototype, 'emit')?.value as Emit | undefined
  const above = Object.getPrototypeOf(prototype) as { readonly emit: Emit }
  return function emit(this: unknown, event, ...args): boolean {
    // What is inherited is looked up at each call: a patch of it that comes later counts.
    const inner = own ?? above.emit
    const kit = isArrival(event) && isRequest(args[0]) ? kitOf() : undefined
    if (kit === undefined) return Reflect.apply(inner, this, [event, ...args])
    let heard = true
    const proceed = (): void => {
      heard = Reflect.apply(inner, this, [event, ...args])
    }
    const [req, other] = args as [IncomingRequest, unknown]
    if (isReply(other)) adoptingBy(kit).request(req, other, proceed)
    else if (isSocket(other)) adoptingBy(kit).upgrade(req, other, proceed)
    else proceed()
    return heard
  }
}

function isArrival(event: string | symbol): boolean {
  return (
    event === 'request' ||
    event === 'checkContinue' ||
    event === 'checkExpectation' ||
    event === 'upgrade' ||
    event === 'connect'
  )
}

// An application may emit what it likes on its server: where there is nothing to read or to answer, it is handed on.

function isRequest(req: unknown): boolean {
  const headers = (req as Partial<IncomingRequest> | null | undefined)?.headers
  return typeof headers === 'object' && (headers as object | null) !== null
}

function isReply(other: unknown): other is ServerReply {
  return typeof (other as Partial<ServerReply> | null | undefined)?.writeHead === 'function'
}

/** HTTP/1 hands over the connection of an upgrade or a tunnel, HTTP/2 has a reply for its tunnels. */
function isSocket(other: unknown): other is UpgradeSocket {
  return typeof (other as Partial<UpgradeSocket> | null | undefined)?.end === 'function'
}
