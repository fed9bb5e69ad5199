import dns from 'node:dns'
import http, { createServer, Server } from 'node:http'
import { isIP } from 'node:net'
import { request } from 'undici'
import { vi } from 'vitest'
import {
  adapterLaws,
  everyInboundLaw,
  everyOutboundLaw,
  type InboundHalf,
  type OutboundHalf,
  type OutboundOpening,
} from '@waybill/conformance/adapter'
import { listenOnLoopback } from '@waybill/conformance/wire'
import { callByFetch, callByRequest, callByUndici } from '../../test/client-calls.js'
import { bindFetch } from './bound-fetch.js'
import { connectOutside } from './connect-outside.js'
import type { KitOf } from './register.js'
import { carryRequests } from './request-seam.js'
import { adoptOnServers } from './server-seam.js'
import { carryUndici } from './undici-seam.js'

// The seams one by one: the far end of a law lies in the same process, and has to stay plain.

const { lookup } = dns
// What is no address is unknown at once: a name server may be slow or absent, and then says something else.
vi.spyOn(dns, 'lookup').mockImplementation((host: string, ...rest: unknown[]): void => {
  if (isIP(host) !== 0 || host === 'localhost')
    return Reflect.apply(lookup, dns, [host, ...rest]) as undefined
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), {
    code: 'ENOTFOUND',
    hostname: host,
  })
  setImmediate(rest.at(-1) as (error: Error) => void, error)
})

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
      call: callByRequest(http, agent),
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
    // What stands there at the call, not here.
    return { undo, call: callByFetch((...args) => fetch(...args)), close: undo }
  },
}

const undici: OutboundHalf = {
  kind: 'installer',
  laws: carries,
  open(opening) {
    opening.lend(request)
    const undo = opened(opening, carryUndici, connectOutside)
    return { undo, call: callByUndici(), close: undo }
  },
}

adapterLaws(
  { name: 'register, servers of node:http', direction: 'inbound', inbound: servers },
  { name: 'register, node:http', direction: 'outbound', outbound: nodeHttp },
  { name: 'register, fetch', direction: 'outbound', outbound: builtInFetch },
  { name: 'register, undici', direction: 'outbound', outbound: undici },
)
