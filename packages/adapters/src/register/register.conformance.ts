import http, { createServer, Server, type IncomingMessage } from 'node:http'
import { request } from 'undici'
import {
  adapterLaws,
  deepFreeze,
  everyInboundLaw,
  everyOutboundLaw,
  type InboundHalf,
  type OutboundHalf,
  type OutboundOpening,
} from '@waybill/conformance/adapter'
import { listenOnLoopback, textOf } from '@waybill/conformance/wire'
import { bindFetch } from './bound-fetch.js'
import { connectOutside } from './connect-outside.js'
import type { KitOf } from './register.js'
import { carryRequests } from './request-seam.js'
import { adoptOnServers } from './server-seam.js'
import { carryUndici } from './undici-seam.js'

// The seams one by one: the far end of a law lies in the same process, and has to stay plain.

type Seam = (kitOf: KitOf) => () => void

/** Opens seams as often as a law says. @returns an undo of all of them. */
function opened(
  { kit, times }: Pick<OutboundOpening, 'kit' | 'times'>,
  ...seams: readonly Seam[]
): () => void {
  const undos: (() => void)[] = []
  for (let count = 0; kit !== undefined && count < times; count++) {
    for (const seam of seams) undos.unshift(seam(() => kit))
  }
  return () => {
    for (const undo of undos.splice(0)) undo()
  }
}

const servers: InboundHalf = {
  kind: 'installer',
  laws: everyInboundLaw,
  async open({ kit, times, lend, inbound, handler, onError }) {
    lend(Server.prototype)
    const undo = opened({ kit, times }, (kitOf) =>
      adoptOnServers(kitOf, inbound === undefined ? {} : { inbound }),
    )
    const { port, close } = await listenOnLoopback(
      createServer((req, res) => {
        Promise.resolve()
          .then(() => handler(req, res))
          .catch((error: unknown) => {
            onError(error, req, res)
          })
      }),
    )
    return {
      port,
      undo,
      async close() {
        undo()
        await close()
      },
    }
  },
}

const goesToItsHost = {
  no: 'it chooses no target: a call goes to the host in its URL, and a name is left to DNS',
  code: 'ENOTFOUND',
} as const

/** What a seam does, which carries and does not choose. */
const carries = {
  ...everyOutboundLaw,
  'interceptor-order': { no: 'it asks no interceptor' },
  'published-once': { no: 'it asks no interceptor, and none can refuse a call or try it again' },
  'faithful-call': { no: 'it shows the call to no interceptor' },
  'target-only': goesToItsHost,
  'connection-per-target': goesToItsHost,
}

const nodeHttp: OutboundHalf = {
  kind: 'installer',
  laws: carries,
  open(opening) {
    opening.lend(http)
    const undo = opened(opening, carryRequests)
    const agent = new http.Agent({ keepAlive: true })
    return {
      undo,
      async call({ url, method, headers, body, frozen, signal, read }) {
        const options = { method, headers, ...(signal === undefined ? {} : { signal }) }
        const given =
          frozen === true ? { ...deepFreeze({ ...options, signal: undefined }), ...options } : options
        const response = await new Promise<IncomingMessage>((resolve, reject) => {
          const request = http.request(
            url,
            frozen === true ? Object.freeze({ ...given, agent }) : { ...given, agent },
          )
          request.once('response', resolve).once('error', reject)
          request.end(body)
        })
        return {
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string>,
          text: await textOf(response, read),
        }
      },
      close() {
        undo()
        agent.destroy()
      },
    }
  },
}

/** The one global that is replaced, as the property of an object that a law can look through. */
const globals = new Proxy(
  {},
  {
    ownKeys: () => ['fetch'],
    getOwnPropertyDescriptor: () => Object.getOwnPropertyDescriptor(globalThis, 'fetch'),
  },
)

const builtInFetch: OutboundHalf = {
  kind: 'installer',
  laws: carries,
  open(opening) {
    opening.lend(globals)
    const undo = opened(opening, bindFetch, carryUndici, connectOutside)
    return {
      undo,
      async call({ url, method, headers, body, frozen, signal, read }) {
        const init = {
          method,
          headers,
          ...(body === undefined ? {} : { body }),
          ...(signal === undefined ? {} : { signal }),
        }
        const response = await fetch(url, frozen === true ? deepFreeze(init) : init)
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          text: await textOf(response.body ?? [], read),
        }
      },
      close: undo,
    }
  },
}

const undici: OutboundHalf = {
  kind: 'installer',
  laws: carries,
  open(opening) {
    opening.lend(request)
    const undo = opened(opening, carryUndici, connectOutside)
    return {
      undo,
      async call({ url, method, headers, body, frozen, signal, read }) {
        const options = {
          method,
          headers,
          ...(body === undefined ? {} : { body }),
          ...(signal === undefined ? {} : { signal }),
        }
        const response = await request(url, frozen === true ? deepFreeze(options) : options)
        return {
          status: response.statusCode,
          headers: response.headers as Record<string, string>,
          text: await textOf(response.body, read),
        }
      },
      close: undo,
    }
  },
}

adapterLaws(
  { name: 'register, servers of node:http', direction: 'inbound', inbound: servers },
  { name: 'register, node:http', direction: 'outbound', outbound: nodeHttp },
  { name: 'register, fetch', direction: 'outbound', outbound: builtInFetch },
  { name: 'register, undici', direction: 'outbound', outbound: undici },
)
