import { once } from 'node:events'
import { Agent, get, type Agent as HttpAgent, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { farServer, textOf, type Answer, type FarServer } from '@waybill/conformance/wire'
import { targetAgent } from './target-agent.js'

const IDLE_MS = 60_000
const MOST_TARGETS = 256

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** The agents of one application by port, on a clock that stands still. */
function pool(): { to: (port: number) => HttpAgent; pass: (ms: number) => void } {
  let now = 1_000_000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  closing.push(() => {
    clock.mockRestore()
  })
  const own = { http: new Agent({ keepAlive: true }) }
  const to = (port: number): HttpAgent => {
    const agent = targetAgent('http:', { host: '127.0.0.1', port, tls: false, connectMs: 1000 }, own)
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
