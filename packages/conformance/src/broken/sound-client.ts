import { Agent } from 'node:http'
import {
  isIdempotentMethod,
  performCall,
  type Call,
  type Kit,
  type OutgoingRequest,
  type Reply,
  type Stamp,
} from '@waybill/core/adapter'
import type { OutboundHalf, OutboundHop, OutboundOpening, OutboundReply } from '../adapter-record.js'
import { deepFreeze } from '../deep-freeze.js'
import { everyOutboundLaw } from '../every-law.js'
import type { AdapterKind } from '../opening.js'
import { plainClient, type PlainClient, type PlainRequest } from './plain-client.js'

/** Marks what a sound client has made, by the kit that it was made for. */
const wrappers = new WeakMap<PlainClient, Kit>()

/**
 * A minimal adapter of {@link plainClient} that obeys every law: the base of the outbound doubles, each of which
 * overrides one step and breaks it.
 */
export class SoundClient implements OutboundHalf {
  readonly kind: AdapterKind = 'wrapper'
  readonly laws = everyOutboundLaw

  open({ kit, times, lend }: OutboundOpening): OutboundHop {
    const agent = this.agent()
    let client = lend(plainClient(agent))
    for (let count = 0; kit !== undefined && count < times; count++) client = this.wrap(kit, client)
    return {
      call: (request) => client(request.frozen === true ? deepFreeze({ ...request }) : request),
      close() {
        agent.destroy()
      },
    }
  }

  agent(): Agent {
    return new Agent({ keepAlive: true })
  }

  wrap(kit: Kit, client: PlainClient): PlainClient {
    if (wrappers.get(client) === kit) return client
    const wrapper: PlainClient = (request) =>
      this.isDisabled(kit) ? client(request) : this.send(kit, client, request)
    wrappers.set(wrapper, kit)
    return wrapper
  }

  isDisabled(kit: Kit): boolean {
    return kit.disabled
  }

  async send(kit: Kit, client: PlainClient, request: PlainRequest): Promise<OutboundReply> {
    const reply = await performCall(kit, this.outgoing(request), async (call, stamp) =>
      this.reply(await client(this.attempt(request, call, stamp))),
    )
    return reply.value
  }

  outgoing({ url, method, headers, body, signal }: PlainRequest): OutgoingRequest {
    return {
      kind: 'http',
      url: new URL(url),
      method,
      headers: (name) => valueOf(headers, name),
      body: body === undefined ? 'none' : 'replayable',
      idempotent: isIdempotentMethod(method),
      signal,
    }
  }

  attempt(request: PlainRequest, { target }: Call, stamp: Stamp): PlainRequest {
    const headers = this.headers(request, stamp)
    if (target === undefined) return { ...request, headers }
    const { host, port, path, authority } = target
    return {
      ...request,
      connect: { host, port },
      headers: authority === undefined ? headers : { ...headers, host: authority },
      ...(path === undefined ? {} : { path }),
    }
  }

  headers({ headers }: PlainRequest, stamp: Stamp): Record<string, string> {
    const gone = new Set([...stamp.remove, ...stamp.set.map(([name]) => name)])
    const kept = Object.entries(headers).filter(([name]) => !gone.has(name.toLowerCase()))
    return Object.fromEntries([...stamp.set, ...kept])
  }

  reply(value: OutboundReply): Reply<OutboundReply> {
    return {
      status: value.status,
      header: (name) => value.headers[name],
      value,
      done: Promise.resolve(),
    }
  }
}

function valueOf(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  const values = Object.entries(headers).filter(([own]) => own.toLowerCase() === name)
  return values.length === 0 ? undefined : values.map(([, value]) => value).join(', ')
}
