import { once } from 'node:events'
import {
  Agent,
  get,
  type Agent as HttpAgent,
  type AgentOptions,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { closedPort, farServer, textOf, type Answer, type FarServer } from '@waybill/conformance/wire'
import { targetAgent } from './target-agent.js'

const IDLE_MS = 60_000
const MOST_TARGETS = 256

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** The agents of one application by port and service, on a clock that stands still. */
function pool(limits: AgentOptions = {}): {
  to: (port: number, service?: string) => HttpAgent
  pass: (ms: number) => void
} {
  let now = 1_000_000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  closing.push(() => {
    clock.mockRestore()
  })
  const own = { http: new Agent({ keepAlive: true, ...limits }) }
  const to = (port: number, service = 'inventory'): HttpAgent => {
    const target = { host: '127.0.0.1', port, tls: false, service, connectMs: 1000 }
    const agent = targetAgent('http:', target, own)
    closing.push(() => {
      agent.destroy()
    })
    return agent
  }
  return {
    to,
    pass(ms) {
      now += ms
    },
  }
}

async function far(answer?: Answer): Promise<FarServer> {
  const server = await farServer(answer)
  closing.push(() => server.close())
  return server
}

async function textFrom({ origin }: FarServer, agent: HttpAgent): Promise<string> {
  const [response] = (await once(get(origin, { agent }), 'response')) as [IncomingMessage]
  return textOf(response)
}

/** Asks once, and returns the connection that stays behind. */
async function idleConnection(server: FarServer, agent: HttpAgent): Promise<{ readonly destroyed: boolean }> {
  const [[socket]] = await Promise.all([once(agent, 'free'), textFrom(server, agent)])
  return socket as { readonly destroyed: boolean }
}

test('a minute after its last call the idle connections to a target are closed, by the next call to another', async () => {
  const { to, pass } = pool()
  const server = await far()
  const connection = await idleConnection(server, to(server.port))
  pass(IDLE_MS - 1)
  to(server.port)
  pass(IDLE_MS - 1)
  to(1)
  expect(connection.destroyed).toBe(false)
  pass(1)
  to(1)
  expect(connection.destroyed).toBe(true)
  await textFrom(server, to(server.port))
  expect(server.heard.map((heard) => heard.connection)).toEqual([1, 2])
})

test('a target that answers slowly keeps its connections, and does not keep those of others', async () => {
  const { to, pass } = pool()
  let response: ServerResponse | undefined
  const slow = await far((_heard, held) => (response = held))
  const quick = await far()
  const agent = to(slow.port)
  const answering = textFrom(slow, agent)
  const connection = await idleConnection(quick, to(quick.port))
  await vi.waitFor(() => expect(response).toBeDefined(), { timeout: 5_000 })
  pass(IDLE_MS)
  to(1)
  expect(connection.destroyed).toBe(true)
  response?.end('late')
  expect(await answering).toBe('late')
  expect(to(slow.port)).toBe(agent)
})

test('of more than 256 targets the one that was left longest is let go', () => {
  const { to } = pool()
  const first = to(1)
  const second = to(2)
  for (let port = 3; port <= MOST_TARGETS; port += 1) to(port)
  expect(to(1)).toBe(first)
  to(MOST_TARGETS + 1)
  expect(to(1)).toBe(first)
  expect(to(2)).not.toBe(second)
})

/** What becomes of a request to a port where nobody listens. */
async function failureAt(port: number, agent: HttpAgent): Promise<unknown> {
  const request = get({ port, agent })
  let failure: unknown
  request.on('error', (error) => (failure = error))
  await new Promise((resolve) => request.on('close', resolve))
  return failure
}

test('a target that could not be reached is let go like any other', async () => {
  const { to, pass } = pool()
  const port = await closedPort()
  const agent = to(port)
  await failureAt(port, agent)
  pass(IDLE_MS)
  to(1)
  expect(to(port)).not.toBe(agent)
})

test('a target to which a connection is being made is not', async () => {
  const { to, pass } = pool()
  const server = await far()
  const agent = to(server.port)
  const answer = textFrom(server, agent)
  pass(IDLE_MS)
  to(1)
  expect(to(server.port)).toBe(agent)
  expect(await answer).toBe('ok')
})

test('of two services at one address an error names the one that was called', async () => {
  const { to } = pool()
  const port = await closedPort()
  for (const service of ['inventory', 'payment']) {
    expect(await failureAt(port, to(port, service))).toMatchObject({
      code: 'ERR_WAYBILL_UNREACHABLE',
      facts: { service },
    })
  }
})

test('a burst of calls opens no more connections than the application allows', async () => {
  const { to } = pool({ maxSockets: 2 })
  const server = await far()
  const agent = to(server.port)
  await Promise.all(Array.from({ length: 20 }, () => textFrom(server, agent)))
  expect(new Set(server.heard.map(({ connection }) => connection))).toEqual(new Set([1, 2]))
})

test('calls that wait for a connection are told, too, when none can be made any more', async () => {
  const { to } = pool({ maxSockets: 1 })
  const server = await farServer(() => undefined)
  const agent = to(server.port)
  const failures = Array.from({ length: 4 }, () => failureAt(server.port, agent))
  await vi.waitFor(() => expect(server.heard).toHaveLength(1))
  await server.close()
  expect(await Promise.all(failures)).toEqual([
    expect.objectContaining({ code: 'ECONNRESET' }),
    ...Array.from({ length: 3 }, () => expect.objectContaining({ code: 'ERR_WAYBILL_UNREACHABLE' })),
  ])
})

test('a request that the application destroys while it connects fails with what it was destroyed with', async () => {
  const { to } = pool()
  const server = await far()
  const request = get(server.origin, { agent: to(server.port) })
  const [socket] = (await once(request, 'socket')) as [Socket]
  expect(socket.connecting).toBe(true)
  const failed = once(request, 'error')
  request.destroy(new Error('not needed any more'))
  expect(await failed).toEqual([new Error('not needed any more')])
})
