import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  adopt,
  appendNotes,
  edgeVary,
  HttpCarrier,
  isAdopted,
  listenerInbound,
  REFUSED_HEADER,
  refusalOf,
  ROUTE_HEADER,
  runWithWaybill,
  type Adopted,
  type Arrival,
  type Inbound,
  type Kit,
  type WaybillError,
} from '@waybill/core/adapter'
import type { InboundHalf, InboundHop, InboundOpening } from '../adapter-record.js'
import { everyInboundLaw } from '../every-law.js'
import type { AdapterKind } from '../opening.js'
import { listenOnLoopback } from '../wire/listen-on-loopback.js'

export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * A minimal adapter of node:http's request listener that obeys every law: the base of the inbound doubles, each of
 * which overrides one step and breaks it.
 */
export class SoundListener implements InboundHalf {
  readonly kind: AdapterKind = 'wrapper'
  readonly laws = everyInboundLaw

  async open({ kit, times, lend, inbound, handler, onError }: InboundOpening): Promise<InboundHop> {
    const application: Listener = (request, response) => {
      new Promise((resolve) => {
        resolve(handler(request, response))
      }).catch((error: unknown) => {
        onError(error, request, response)
      })
    }
    let listener = lend(application)
    for (let count = 0; kit !== undefined && count < times; count++)
      listener = this.wrap(kit, inbound, listener)
    return listenOnLoopback(createServer(listener))
  }

  wrap(kit: Kit, inbound: Inbound | undefined, listener: Listener): Listener {
    const rule = listenerInbound(kit, inbound)
    return (request, response) => {
      const proceed = (): void => {
        listener(request, response)
      }
      const arrival = this.arrival(request, rule)
      if (this.isDisabled(kit)) {
        const refusal = refusalOf(kit, arrival)
        if (refusal === undefined) proceed()
        else this.refuse(response, refusal, proceed)
      } else if (this.isAdopted(request)) proceed()
      else {
        const adopted = this.adopt(kit, arrival, request)
        this.mark(response, adopted, edgeVary(kit, rule))
        if (adopted.refusal === undefined) this.enter(request, adopted, proceed)
        else this.refuse(response, adopted.refusal, proceed)
      }
    }
  }

  arrival({ headers, method, url, socket }: IncomingMessage, inbound: Inbound): Arrival {
    return { kind: 'http', carrier: new HttpCarrier(headers), inbound, peer: socket, method, url }
  }

  isDisabled(kit: Kit): boolean {
    return kit.disabled
  }

  isAdopted(request: IncomingMessage): boolean {
    return isAdopted(request.headers)
  }

  adopt(kit: Kit, arrival: Arrival, _request: IncomingMessage): Adopted {
    return adopt(kit, arrival)
  }

  /** Runs the rest in the scope, and the request's events with it: they come from the parser. */
  enter(request: IncomingMessage, adopted: Adopted, proceed: () => void): void {
    const emit = request.emit.bind(request) as (...args: unknown[]) => boolean
    request.emit = (...args: unknown[]) => runWithWaybill(adopted.waybill, () => emit(...args))
    adopted.run(proceed)
  }

  /** Adds the kit's headers when the reply's own are complete. */
  mark(response: ServerResponse, adopted: Adopted, vary: string | undefined): void {
    let route: string | undefined
    if (adopted.told) adopted.tell({ add: (entries) => (route = appendNotes(route, entries)) })
    const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse
    response.writeHead = (status: number, ...rest: unknown[]) => {
      const given = rest.find((one): one is Record<string, string> => typeof one === 'object')
      for (const [name, value] of Object.entries(given ?? {})) response.setHeader(name, value)
      if (adopted.tagged) response.setHeader('cache-control', 'private, no-store')
      if (vary !== undefined) response.appendHeader('vary', vary)
      if (route !== undefined) response.setHeader(ROUTE_HEADER, route)
      return writeHead(status)
    }
  }

  refuse(response: ServerResponse, refusal: WaybillError, _proceed: () => void): void {
    response.setHeader(REFUSED_HEADER, refusal.code)
    response.writeHead(refusal.status ?? 500).end(refusal.code)
  }
}
