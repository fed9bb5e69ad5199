import { context, propagation, ROOT_CONTEXT } from '@opentelemetry/api'
import { Agent, request, type Dispatcher } from 'undici'
import { withWaybill } from '@waybill/core/testing'
import { undiciWaybill } from '../../src/fetch/index.js'
import type { Ask, HttpClient } from './http-clients.js'

/** What the other request came in with. */
export const OTHERS_BAGGAGE = 'clk=bob,shard-key=7,waybill-depth=1,b=2'

/**
 * undici with a pool of two connections, both of which another request holds when the call is made. It waits for one, and is
 * made in the context of that other.
 */
export const pooledUndici: HttpClient = {
  plain: viaPool((agent) => agent),
  of: (kit) => viaPool((agent) => agent.compose(undiciWaybill(kit))),
}

function viaPool(compose: (agent: Agent) => Dispatcher): Ask {
  return async (url, headers = {}) => {
    const agent = new Agent({ connections: 2 })
    const dispatcher = compose(agent)
    const ask = async (own: typeof headers): Promise<string> =>
      (await request(url, { headers: { ...own }, dispatcher })).body.text()
    try {
      const others = inOtherRequest(() => Promise.all([ask({}), ask({})]))
      await Promise.all([others, ask(headers)])
    } finally {
      await agent.close()
    }
  }
}

function inOtherRequest<T>(fn: () => T): T {
  return context.with(propagation.extract(ROOT_CONTEXT, { baggage: OTHERS_BAGGAGE }), () =>
    withWaybill({ clk: 'bob', shardKey: '7', depth: 1 }, fn),
  )
}
