import { afterEach, expect, test } from 'vitest'
import { Agent, fetch as undiciFetch, request } from 'undici'
import { createKit, type Kit } from '@waybill/core'
import type { Interceptor, Target } from '@waybill/core/adapter'
import { farServer, type FarServer } from '@waybill/conformance/wire'
import { fetchWaybill, undiciWaybill, type FetchLike } from '../fetch/index.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const CONNECT_MS = 100

/** Answers after `ms`, as from behind a breakpoint. */
async function slow(ms: number): Promise<FarServer> {
  const server = await farServer((_heard, response) => setTimeout(() => response.end('ok'), ms))
  closing.push(() => server.close())
  return server
}

function kitTo({ port }: FarServer, keepAlive: boolean): Kit {
  const target: Target = { host: '127.0.0.1', port, tls: false, connectMs: CONNECT_MS, keepAlive }
  const route: Interceptor = (next) => (call) => next({ ...call, target })
  return createKit({ service: 'order', environment: 'test', interceptors: [route] })
}

type Post = (body: string | undefined) => Promise<string>
const URL_OF_SERVICE = 'http://inventory/'

const posts: Readonly<Record<string, (kit: Kit, agent: Agent) => Post>> = {
  undici: (kit, agent) => {
    const dispatcher = agent.compose(undiciWaybill(kit))
    return async (body = null as never) =>
      (await request(URL_OF_SERVICE, { method: 'POST', body, dispatcher })).body.text()
  },
  fetch: (kit, agent) => viaFetch(fetchWaybill(kit), agent),
  'fetch of undici': (kit, agent) => viaFetch(fetchWaybill(kit, undiciFetch), agent),
}

function viaFetch(wrapped: FetchLike, dispatcher: Agent): Post {
  return async (body) =>
    ((await wrapped(URL_OF_SERVICE, { method: 'POST', body, dispatcher })) as Response).text()
}

function agentOf(options: Agent.Options): Agent {
  const agent = new Agent(options)
  closing.push(() => agent.destroy())
  return agent
}

const cases = Object.entries(posts).flatMap(([name, of]) =>
  [undefined, 'all of it'].flatMap((body) =>
    [true, false].map((keepAlive) => ({ name, of, body, keepAlive })),
  ),
)

test.each(cases)(
  'the wait for a connection that others use never counts: $name, body $body, kept $keepAlive',
  async ({ of, body, keepAlive }) => {
    const server = await slow(2.5 * CONNECT_MS)
    const post = of(kitTo(server, keepAlive), agentOf({ connections: 1 }))
    expect(await Promise.all([post(body), post(body), post(body)])).toEqual(['ok', 'ok', 'ok'])
    expect(server.heard).toHaveLength(3)
  },
)

test.each(cases)(
  'the making of a connection is bounded: $name, body $body, kept $keepAlive',
  async ({ of, body, keepAlive }) => {
    const server = await slow(0)
    // Opens none, as towards a machine that is gone.
    const agent = agentOf({ connect: () => undefined })
    const started = performance.now()
    const post = of(kitTo(server, keepAlive), agent)
    const failed: unknown = await post(body).catch((error: unknown) => error)
    expect(JSON.stringify([failed, (failed as Error).cause])).toContain('ERR_WAYBILL_UNREACHABLE')
    // The client's own limit is ten seconds.
    expect(performance.now() - started).toBeLessThan(50 * CONNECT_MS)
  },
)

test.each(cases)(
  'a caller that stood still hears of the connection that was made meanwhile: $name, body $body, kept $keepAlive',
  async ({ of, body, keepAlive }) => {
    const server = await slow(0)
    const post = of(kitTo(server, keepAlive), agentOf({}))
    for (let turns = 0; turns < 3; turns++) {
      const answer = post(body)
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
      const until = performance.now() + 3 * CONNECT_MS
      while (performance.now() < until);
      expect(await answer).toBe('ok')
    }
  },
)
