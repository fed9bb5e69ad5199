import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '@waybill/core/adapter'
import { startHeartbeat } from './heartbeat.js'
import type { AnsweredBeat } from './heartbeat.js'
import type { Instance } from './instance.js'
import { MemoryServer } from './registries/memory/memory-server.js'
import { bundleScript } from './script-process.js'
import type { Script, ScriptProcess } from './script-process.js'

/** Generous: a machine that stands still for longer than a lease ends that lease, and rightly so. */
const TTL_MS = 3_000

let script: Script
let http: Server
let url: string
let server: MemoryServer
let hosts: string[]
const processes: ScriptProcess[] = []

beforeAll(async () => {
  script = await bundleScript(fileURLToPath(new URL('registries/leases/http-script.ts', import.meta.url)))
}, 60_000)
afterAll(() => {
  script.dispose()
})
beforeEach(async () => {
  hosts = []
  server = new MemoryServer({ clock: systemClock, ttlMs: TTL_MS })
  const link = server.link()
  http = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse(await text(request))
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://registry')
      if (pathname === '/register') response.end(await link.register(body))
      else if (pathname === '/deregister') response.end(String(await link.deregister(body)))
      else {
        hosts.push(searchParams.get('host') ?? '')
        response.end(await link.beat(body))
      }
    })()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => http.once('listening', resolve))
  url = `http://127.0.0.1:${String((http.address() as AddressInfo).port)}`
})
afterEach(async () => {
  await Promise.all(processes.splice(0).map((each) => each.end('SIGKILL')))
  http.closeAllConnections()
  http.close()
})

const start = async (): Promise<ScriptProcess> => {
  const started = await script.start([url, String(TTL_MS)])
  processes.push(started)
  return started
}
const instance = (fields: Partial<Instance> = {}): Instance => ({
  id: 'a',
  environment: 'test',
  service: 'inventory',
  host: '192.0.2.7',
  port: 4000,
  clks: [],
  weight: 1,
  enabled: true,
  metadata: {},
  ...fields,
})
const isThere = (): boolean => server.instances('test').length === 1

test(
  'routing-87: a tagged instance keeps its place at a breakpoint, and has lost nothing afterwards',
  { timeout: 60_000 },
  async () => {
    const holder = await start()
    await holder.ask({ register: instance({ clks: ['alice'], owner: 'alice' }) })
    const paused = holder.ask({ pauseMs: 3 * TTL_MS })
    let missing = 0
    for (let look = 0; look < 35; look += 1) {
      await setTimeout(TTL_MS / 10)
      if (!isThere()) missing += 1
    }
    expect(missing).toBe(0)
    const { pausedMs, state, states } = (await paused) as {
      pausedMs: number
      state: string
      states: string[]
    }
    expect(pausedMs).toBeGreaterThanOrEqual(3 * TTL_MS)
    expect({ state, states }).toEqual({ state: 'held', states: [] })
    expect(new Set(hosts)).toEqual(new Set(['192.0.2.7']))
  },
)

test(
  'routing-87: an untagged one is gone after two leases, and registered again when it goes on',
  { timeout: 60_000 },
  async () => {
    const holder = await start()
    await holder.ask({ register: instance() })
    await setTimeout(2 * TTL_MS)
    expect(isThere()).toBe(true)
    // The pause begins when the other process comes to it, so it is far longer than the two leases that count.
    const paused = holder.ask({ pauseMs: 6 * TTL_MS })
    await vi.waitFor(() => expect(isThere()).toBe(false), { timeout: 5.5 * TTL_MS })
    await paused
    await vi.waitFor(() => expect(isThere()).toBe(true), { timeout: 4 * TTL_MS })
    await vi.waitFor(
      async () => {
        expect(await holder.ask({})).toMatchObject({ state: 'held', states: ['lost', 'held'] })
      },
      { timeout: 5_000 },
    )
  },
)

test('released, it beats no more; and its thread does not keep the process', async () => {
  const holder = await start()
  await holder.ask({ register: instance() })
  await holder.ask({ release: true })
  expect(isThere()).toBe(false)
  const before = hosts.length
  await setTimeout(2 * TTL_MS)
  expect(hosts.length - before).toBeLessThanOrEqual(1)
  expect(isThere()).toBe(false)
})

test('a beat tells how long ago it was sent, and one that is not answered tells nothing', async () => {
  const beats: AnsweredBeat[] = []
  const slow = createServer((_request, response) => void setTimeout(80).then(() => response.end('held')))
  slow.listen(0, '127.0.0.1')
  await new Promise((resolve) => slow.once('listening', resolve))
  const { port } = slow.address() as AddressInfo
  const request = { url: `http://127.0.0.1:${String(port)}/`, method: 'PUT' }
  const options = { request, everyMs: 5_000, leaseMs: 15_000, host: '127.0.0.1', tagged: true }
  const heartbeat = startHeartbeat({ ...options, onBeat: (beat) => beats.push(beat) })
  await vi.waitFor(() => expect(beats.length).toBe(1), { timeout: 3_000 })
  expect(beats[0]).toMatchObject({ status: 200, body: 'held' })
  expect(beats[0]!.ageMs).toBeGreaterThanOrEqual(75)
  expect(beats[0]!.ageMs).toBeLessThan(10_000)
  heartbeat.stop()
  slow.closeAllConnections()
  slow.close()
  const refused = startHeartbeat({ ...options, onBeat: (beat) => beats.push(beat) })
  await setTimeout(300)
  expect(beats.length).toBe(1)
  refused.stop()
})
