import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, get } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createKit } from '@waybill/core'
import type { Kit, KitOptions } from '@waybill/core'
import { recordEvents } from '@waybill/core/testing'
import { announce } from './announce.js'
import type { Instance } from './instance.js'
import { directoryRegistry } from './registries/directory.js'
import { memoryRegistry } from './registries/memory.js'
import { bundleScript } from './script-process.js'
import type { Script } from './script-process.js'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

const listen = (host = '127.0.0.1'): Server => {
  const server = createServer((_request, response) => response.end('done')).listen(0, host)
  servers.push(server)
  return server
}
const kitOf = (options: KitOptions): Kit =>
  createKit({ service: 'inventory', environment: 'test', owner: 'alice@laptop', ...options })

describe('who may announce', () => {
  test('routing-33, D2-9: neither a clk nor the baseline mark is refused, naming both variables', async () => {
    const refused = announce(kitOf({}), listen(), { registry: memoryRegistry() })
    await expect(refused).rejects.toMatchObject({ code: 'ERR_WAYBILL_ANNOUNCE' })
    await expect(refused).rejects.toThrow(/WAYBILL_CLK.*WAYBILL_BASELINE/)
  })

  test('a clk that does not count in production is told as ignored, not as missing', async () => {
    const kit = kitOf({ environment: 'production', trust: { inbound: 'edge' }, clks: 'alice' })
    await expect(announce(kit, listen(), { registry: memoryRegistry() })).rejects.toMatchObject({
      code: 'ERR_WAYBILL_ANNOUNCE',
      facts: { WAYBILL_CLK: 'alice, ignored in production without devRouting: true' },
      remedy: expect.stringContaining('WAYBILL_ENVIRONMENT=production'),
    })
  })

  test('routing-33: a baseline mark that is meant for another address is refused', async () => {
    const kit = kitOf({ baseline: '10.255.255.1' })
    await expect(announce(kit, listen(), { registry: memoryRegistry() })).rejects.toThrow(
      /WAYBILL_BASELINE: 10\.255/,
    )
    const own = kitOf({ baseline: '127.0.0.1' })
    const announcement = await announce(own, listen(), { registry: memoryRegistry() })
    expect(announcement.instance.clks).toEqual([])
    await announcement.close()
  })

  test('a drain time that is none is refused before anybody is registered', async () => {
    const registry = memoryRegistry()
    for (const drainMs of [NaN, Infinity, -5, 2 ** 31, '10s' as never]) {
      await expect(
        announce(kitOf({ baseline: true }), listen(), { registry, drainMs }),
      ).rejects.toMatchObject({
        code: 'ERR_WAYBILL_CONFIGURATION',
        facts: { option: 'announce({ drainMs })' },
      })
    }
    registry.open('test')
    expect([...registry.index('inventory')]).toEqual([])
  })

  test('the refusals stay when the kit is disabled', async () => {
    const kit = kitOf({})
    kit.disable()
    const refused = announce(kit, listen(), { registry: memoryRegistry() })
    await expect(refused).rejects.toMatchObject({ code: 'ERR_WAYBILL_ANNOUNCE' })
  })

  test('routing-60: a second owner of the tag is refused with the name of the holder, whatever the service', async () => {
    const registry = memoryRegistry()
    const first = await announce(kitOf({ clks: 'alice' }), listen(), { registry })
    const mallory = kitOf({ service: 'payment', clks: 'alice', owner: 'mallory' })
    const refused = announce(mallory, listen(), { registry })
    await expect(refused).rejects.toMatchObject({
      code: 'ERR_WAYBILL_TAG_OWNED',
      facts: { holder: 'alice@laptop' },
    })
    await first.close()
    await (await announce(mallory, listen(), { registry })).close()
  })
})

describe('what is announced', () => {
  test('the port that the server has, as soon as it listens, with the facts of the kit', async () => {
    const registry = memoryRegistry()
    const server = listen()
    const announcement = await announce(
      kitOf({ clks: 'alice,team.*', zone: 'az-local', cell: 'SZ' }),
      server,
      {
        registry,
        weight: 2,
        metadata: { role: 'leader' },
      },
    )
    const { port } = server.address() as AddressInfo
    expect(registry.index('inventory').get(announcement.instance.id)).toEqual({
      id: announcement.instance.id,
      environment: 'test',
      service: 'inventory',
      host: '127.0.0.1',
      port,
      cell: 'sz',
      zone: 'az-local',
      clks: ['alice', 'team.*'],
      owner: 'alice@laptop',
      weight: 2,
      enabled: true,
      metadata: { role: 'leader' },
    })
    expect(announcement.state).toBe('held')
    await announcement.close()
    expect(announcement.state).toBe('released')
    expect([...registry.index('inventory')]).toEqual([])
    expect(server.listening).toBe(false)
  })

  test('routing-9: a clk by option and by WAYBILL_CLK makes the same record, in the metadata it is refused', async () => {
    const registry = memoryRegistry()
    const record = async (kit: Kit): Promise<Partial<Instance>> => {
      const announcement = await announce(kit, listen(), { registry, id: 'same' })
      await announcement.close()
      return { ...announcement.instance, port: 0 }
    }
    const byOption = await record(kitOf({ clks: ['alice'] }))
    vi.stubEnv('WAYBILL_CLK', 'alice')
    const byVariable = await record(kitOf({}))
    vi.unstubAllEnvs()
    expect(byVariable).toEqual(byOption)
    const inMetadata = announce(kitOf({ clks: 'alice' }), listen(), { registry, metadata: { clk: 'alice' } })
    await expect(inMetadata).rejects.toThrow(/createKit\(\{ clks \}\).*WAYBILL_CLK.*ERR_WAYBILL_ANNOUNCE/)
  })

  test('routing-83: what WAYBILL_ADVERTISE says decides', async () => {
    const announcement = await announce(kitOf({ clks: 'alice', advertise: 'laptop.lan:8443' }), listen(), {
      registry: memoryRegistry(),
    })
    expect(announcement.instance).toMatchObject({ host: 'laptop.lan', port: 8443 })
    await announcement.close()
  })

  test('a server that listens everywhere is reached over loopback where the registry is one of this machine', async () => {
    const announcement = await announce(kitOf({ clks: 'alice' }), listen('0.0.0.0'), {
      registry: memoryRegistry(),
    })
    expect(announcement.instance.host).toBe('127.0.0.1')
    await announcement.close()
  })

  test('announcing, the claim and the release are audit events', async () => {
    const events = recordEvents(['audit'])
    const announcement = await announce(kitOf({ clks: 'alice' }), listen(), { registry: memoryRegistry() })
    await announcement.close()
    expect(events.of('audit').map(({ action }) => action)).toEqual(['claim', 'announce', 'released'])
    events.stop()
  })

  test('a server that the application closes by itself is deregistered too', async () => {
    const registry = memoryRegistry()
    const server = listen()
    const announcement = await announce(kitOf({ clks: 'alice' }), server, { registry })
    server.close()
    await once(server, 'close')
    await vi.waitFor(() => expect(announcement.state).toBe('released'), { timeout: 5_000 })
    expect([...registry.index('inventory')]).toEqual([])
    await announcement.close()
  })
})

describe('SIGTERM', () => {
  let script: Script
  let folder: string
  beforeAll(async () => {
    script = await bundleScript(fileURLToPath(new URL('announce/announce-script.ts', import.meta.url)))
  }, 60_000)
  afterAll(() => {
    script.dispose()
  })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'waybill-announce-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  const environment = (): NodeJS.ProcessEnv => ({
    WAYBILL_SERVICE: 'inventory',
    WAYBILL_ENVIRONMENT: 'test',
    WAYBILL_CLK: 'alice',
    WAYBILL_OWNER: 'alice',
    WAYBILL_REGISTRY: `directory:${folder}`,
  })

  test('routing-95: deregisters, lets the request under way end, and ends by the signal', async () => {
    const started = await script.start([], environment())
    const registry = directoryRegistry({ path: folder })
    registry.open('test')
    const [instance] = [...registry.index('inventory')] as [Instance]
    const agent = new Agent({ keepAlive: true })
    const ask = (ms: number): Promise<string> =>
      new Promise((resolve, reject) => {
        get(
          { host: instance.host, port: instance.port, path: `/${String(ms)}`, agent },
          (reply: IncomingMessage) => {
            reply.setEncoding('utf8').on('data', resolve)
          },
        ).on('error', reject)
      })
    await ask(0)
    const slow = ask(3_000)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const ended = once(started.child, 'exit')
    started.child.kill('SIGTERM')
    await vi.waitFor(() => expect([...registry.index('inventory')]).toEqual([]), {
      timeout: 2_500,
      interval: 10,
    })
    expect(await slow).toBe('done')
    expect(await ended).toEqual([null, 'SIGTERM'])
    await registry.close()
    agent.destroy()
  })

  test('a process that listens for SIGTERM itself decides itself when it ends', async () => {
    const started = await script.start(['listens-too'], environment())
    const heard = once(started.child, 'message')
    started.child.kill('SIGTERM')
    expect(await heard).toEqual([{ heard: 'SIGTERM' }, undefined])
    await vi.waitFor(
      async () => {
        expect(await started.ask('state')).toMatchObject({
          state: 'released',
          audits: ['claim', 'announce', 'released'],
        })
      },
      { timeout: 5_000 },
    )
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(started.child.exitCode).toBe(null)
    await started.end('SIGKILL')
  })
})
