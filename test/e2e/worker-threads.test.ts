import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { afterAll, expect, test } from 'vitest'
import { piscinaWaybill } from '@waybill/adapters/workers'
import { createKit } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import { memoryRegistry, route } from '@waybill/routing'
import { instanceOf } from '../../packages/routing/src/fixtures/instance-of.js'

// The worker thread runs what was built, the test the sources: both ends only share what is plain data.
const filename = fileURLToPath(new URL('./worker-thread.mjs', import.meta.url))
const ends: (() => unknown)[] = []
afterAll(() => Promise.all(ends.map((end) => end())))

async function serverThatSays(name: string): Promise<number> {
  const server = createServer((_req, res) => res.end(name)).listen(0, '127.0.0.1')
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function poolOf(kit: ReturnType<typeof createKit>): Piscina {
  const pool = new Piscina({ filename, minThreads: 1, maxThreads: 1 })
  ends.push(() => pool.destroy())
  return piscinaWaybill(kit, pool)
}

test('S2-4 a call from inside a worker reaches alice’s instance, whom only the parent thread knows', async () => {
  const [baseline, alice, bob] = [
    await serverThatSays('az-ci'),
    await serverThatSays('alice'),
    await serverThatSays('bob'),
  ]
  const at = { service: 'stock', environment: 'test', host: '127.0.0.1' } as const
  // Nobody but its own thread could open this one.
  const registry = memoryRegistry({
    instances: [
      { ...at, port: baseline, zone: 'az-ci' },
      { ...at, port: alice, clks: 'alice', owner: 'alice' },
    ].map(instanceOf),
  })
  const kit = createKit({ service: 'order', environment: 'test', interceptors: [route({ registry })] })
  const pool = poolOf(kit)
  const served = (clk?: string): Promise<unknown> =>
    withWaybill(clk === undefined ? {} : { clk }, () => pool.run('http://stock/42'))
  expect(await Promise.all(['alice', undefined, 'bob'].map(served))).toEqual(['alice', 'az-ci', 'az-ci'])
  const lease = await registry.register(instanceOf({ ...at, port: bob, clks: 'bob', owner: 'bob' }))
  expect(await Promise.all(['alice', 'bob'].map(served))).toEqual(['alice', 'bob'])
  await lease.release()
  expect(await served('bob')).toBe('az-ci')
  const noPool = withWaybill({ clk: 'alice' }, () => pool.run('http://nobody/'))
  await expect(noPool).rejects.toMatchObject({
    cause: { code: 'ERR_WAYBILL_NO_PROVIDER', facts: { registry: 'memory, by the parent thread' } },
  })
})

test('a parent without route is told of with a code, and nothing hangs', async () => {
  const pool = poolOf(createKit({ service: 'order', environment: 'test' }))
  const call = withWaybill({ clk: 'alice' }, () => pool.run('http://stock/42'))
  await expect(call).rejects.toMatchObject({ cause: { code: 'ERR_WAYBILL_PARENT_THREAD' } })
})
