import { createKit, isWaybillError } from '@waybill/core'
import type { WaybillError } from '@waybill/core'
import { memoryHop, recordEvents } from '@waybill/core/testing'
import { expect, test } from 'vitest'
import { fleet, unknownName } from './fixtures/fleet.js'
import { ciInstance, instanceOf, taggedInstance } from './fixtures/instance-of.js'
import { seededRandom } from './fixtures/seeded-random.js'
import { memoryRegistry } from './registries/memory.js'
import { twoChoices } from './balance/two-choices.js'
import { route } from './route.js'

const ci1 = ciInstance(1)
const ci2 = ciInstance(2)
const alice = taggedInstance('alice')
const bob = taggedInstance('bob')
const ALICE = `127.0.0.1:${String(alice.port)}`

async function errorOf(promise: Promise<unknown>): Promise<WaybillError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (isWaybillError(error)) return error
  throw new Error(`expected a coded error, got ${String(error)}`)
}

test('S2-6 D2-18 the tag reaches its instance, everything else az-ci, and the choice is told', async () => {
  const { ask, hits, notes } = fleet({ instances: [ci1, alice, bob] })
  await ask({ clk: 'alice' })
  await ask()
  await ask({ clk: 'carol' })
  expect(hits).toEqual([ALICE, '127.0.0.1:8081', '127.0.0.1:8081'])
  expect(notes).toEqual([
    { service: 'inventory', served: 'alice', reason: 'TAG_EXACT', notes: [], at: ALICE },
    { service: 'inventory', served: '@az-ci', reason: 'BASELINE_ZONE', notes: [], at: '127.0.0.1:8081' },
    { service: 'inventory', served: '@az-ci', reason: 'BASELINE_ZONE', notes: [], at: '127.0.0.1:8081' },
  ])
})

test('D2-1 D2-2 D2-9 untagged traffic over thousands of calls never meets a laptop', async () => {
  const laptop = { ...taggedInstance('carol'), zone: 'az-ci' }
  const { ask, hits } = fleet({
    instances: [ci1, ci2, alice, bob, laptop],
    balancer: twoChoices(seededRandom(5)),
  })
  await Promise.all(Array.from({ length: 2000 }, (_, n) => ask(n % 2 === 0 ? {} : { clk: 'ghost' })))
  expect(new Set(hits)).toEqual(new Set(['127.0.0.1:8081', '127.0.0.1:8082']))
})

test('routing-32 her own modules where she runs them, the shared ones for the rest', async () => {
  const services = ['a', 'b', 'c', 'd']
  const shared = services.map((service, n) => ciInstance(n, { service, id: `${service}-ci` }))
  const hers = ['a', 'b'].map((service, n) =>
    taggedInstance('alice', { service, id: `${service}-alice`, port: 7000 + n }),
  )
  const { ask, notes } = fleet({ instances: [...shared, ...hers] })
  for (const service of services) await ask({ url: `http://${service}/`, clk: 'alice' })
  expect(notes.map(({ service, served }) => `${service}=${served}`)).toEqual([
    'a=alice',
    'b=alice',
    'c=@az-ci',
    'd=@az-ci',
  ])
})

test('the target says where the socket goes and nothing else', async () => {
  const { ask, calls } = fleet({ instances: [ci1], connectMs: 200 })
  await ask()
  expect(calls[0]?.target).toEqual({
    host: '127.0.0.1',
    port: 8081,
    tls: false,
    connectMs: 200,
    instance: { id: 'ci1', service: 'inventory', clks: [], zone: 'az-ci', cell: undefined },
  })
  expect(calls[0]?.url?.href).toBe('http://inventory/stock/42')
})

test('a gateway prefix stays at the gateway, and a baseline address has a path of its own', async () => {
  const services = { inventory: { hosts: ['http://gw.internal/inv/'], baseline: 'https://base.svc/v1/' } }
  const url = 'http://gw.internal/inv/stock/42?x=1'
  const known = fleet({ instances: [ci1], kit: { services } })
  await known.ask({ url })
  expect(known.calls[0]?.target?.path).toBe('/stock/42?x=1')
  const unknown = fleet({ instances: [], kit: { services } })
  await unknown.ask({ url })
  expect(unknown.calls[0]?.target).toEqual({
    host: 'base.svc',
    port: 443,
    tls: true,
    path: '/v1/stock/42?x=1',
    connectMs: 1000,
    service: 'inventory',
  })
  expect(unknown.notes).toEqual([
    { service: 'inventory', served: '', reason: 'BASELINE_ADDRESS', notes: [], at: 'base.svc:443' },
  ])
})

test('an authority in the metadata is handed on', async () => {
  const { ask, calls } = fleet({ instances: [ciInstance(1, { metadata: { authority: 'inv.internal' } })] })
  await ask()
  expect(calls[0]?.target?.authority).toBe('inv.internal')
})

test('what is no service of the fleet goes through untouched', async () => {
  const { ask, calls } = fleet({ instances: [ci1] })
  await ask({ url: 'http://api.example.com/x', clk: 'alice' })
  expect(calls[0]?.target).toBeUndefined()
  expect(calls[0]?.attempt).toBe(1)
})

test('routing-5 without instances the URL itself is called; where the name does not resolve the error is ours', async () => {
  const { ask, at, hits } = fleet({ instances: [bob] })
  await ask()
  expect(hits).toEqual(['inventory'])
  at['inventory'] = unknownName
  const error = await errorOf(ask({ clk: 'alice' }))
  expect(error).toMatchObject({
    code: 'ERR_WAYBILL_NO_PROVIDER',
    status: 503,
    cause: { code: 'ENOTFOUND' },
    facts: { service: 'inventory', clk: 'alice', reason: 'ONLY_FOREIGN_TAGS', owners: ['bob@mac'] },
  })
})

test('D2-3 without any instance the error names the service, whoever has registered', async () => {
  const { ask, at } = fleet({ instances: [] })
  at['inventory'] = unknownName
  expect((await errorOf(ask())).facts).toMatchObject({
    service: 'inventory',
    reason: 'NO_PROVIDER',
    environment: 'test',
    registry: 'memory',
    tried: 'inventory ENOTFOUND',
    instances: 0,
  })
})

test('a strict policy says what became of each candidate, at most 20 and the count', async () => {
  const instances = Array.from({ length: 30 }, (_, n) => ciInstance(n))
  const { ask, notes } = fleet({ instances, kit: { services: { inventory: { policy: 'strict' } } } })
  const error = await errorOf(ask({ clk: 'alice' }))
  expect(error.facts).toMatchObject({
    policy: 'strict',
    reason: 'STRICT_NO_MATCH',
    clk: 'alice',
    instances: 30,
  })
  expect(error.facts['verdicts']).toHaveLength(20)
  expect(error.message).toContain('NOT_PREFERRED')
  expect(notes).toEqual([{ service: 'inventory', served: '', reason: 'STRICT_NO_MATCH', notes: [] }])
})

test('a process with a clk calls a bare name only where it is listed: in her search domains it may be a stranger', async () => {
  const laptop = { clks: 'alice', owner: 'alice@mac' }
  expect((await errorOf(fleet({ instances: [], kit: laptop }).ask())).facts['reason']).toBe('NO_PROVIDER')
  const listed = fleet({ instances: [], kit: { ...laptop, services: { inventory: {} } } })
  await listed.ask()
  expect(listed.hits).toEqual(['inventory'])
})

test('routing-10 the policy is the caller’s; what a provider asks for is ignored, and said once', async () => {
  const events = recordEvents(['dropped'])
  const { ask, hits } = fleet({ instances: [ciInstance(1, { metadata: { policy: 'strict' } })] })
  await ask({ clk: 'x' })
  await ask({ clk: 'x' })
  events.stop()
  expect(hits).toEqual(['127.0.0.1:8081', '127.0.0.1:8081'])
  expect(events.of('dropped')).toMatchObject([{ field: 'metadata.policy', reason: 'UNTRUSTED' }])
})

test('routing-25 in production a clk chooses nothing without devRouting', async () => {
  const production = {
    environment: 'production',
    trust: { inbound: 'public' as const, peers: ['10.0.0.0/8'] },
  }
  const world = ['alice', undefined].map((clk) =>
    instanceOf({
      id: clk ?? 'p',
      port: clk ? 1 : 2,
      environment: 'production',
      ...(clk ? { clks: [clk], owner: 'a' } : {}),
    }),
  )
  const plain = fleet({ instances: world, kit: production })
  await plain.ask({ clk: 'alice' })
  expect(plain.hits).toEqual(['127.0.0.1:2'])
  const dev = fleet({ instances: world, kit: { ...production, devRouting: true } })
  await dev.ask({ clk: 'alice' })
  expect(dev.hits).toEqual(['127.0.0.1:1'])
})

test('the preferred zone is az-ci outside production, the own one in production, or what route() is told', async () => {
  const world = (environment: string) =>
    ['az-ci', 'az-b'].map((zone, n) => instanceOf({ id: zone, port: n + 1, zone, environment }))
  const reasonOf = async (kit: object, zone?: string, environment = 'test'): Promise<string | undefined> => {
    const { ask, hits } = fleet({ instances: world(environment), kit, ...(zone ? { zone } : {}) })
    await ask()
    return hits[0]
  }
  expect(await reasonOf({ zone: 'az-b' })).toBe('127.0.0.1:1')
  expect(await reasonOf({}, 'AZ-B')).toBe('127.0.0.1:2')
  const production = {
    environment: 'prod',
    zone: 'az-b',
    trust: { inbound: 'public' as const, peers: ['10.0.0.0/8'] },
  }
  expect(await reasonOf(production, undefined, 'production')).toBe('127.0.0.1:2')
})

test('a cell-bound service is served by its cell alone, and by no address', async () => {
  const services = { inventory: { cellBound: true, baseline: 'http://base.svc' } }
  const instances = [ciInstance(1, { cell: 'sz' }), ciInstance(2, { cell: 'hz' })]
  const bound = fleet({ instances, kit: { services, cell: 'HZ' } })
  await bound.ask()
  expect(bound.hits).toEqual(['127.0.0.1:8082'])
  await bound.ask({ require: { cell: 'sz' } })
  expect(bound.hits[1]).toBe('127.0.0.1:8081')
  expect((await errorOf(bound.ask({ require: { cell: 'gz' } }))).facts).toMatchObject({
    reason: 'NO_PROVIDER',
  })
  const homeless = fleet({ instances, kit: { services } })
  expect(await errorOf(homeless.ask())).toMatchObject({
    code: 'ERR_WAYBILL_CONFIGURATION',
    facts: { variable: 'WAYBILL_CELL' },
  })
})

test('routing-31 preferLocal keeps calls on the own host, and says so', async () => {
  const far = instanceOf({ id: 'far', host: '192.0.2.1', zone: 'az-ci' })
  const spread = fleet({ instances: [ci1, far], balancer: twoChoices(seededRandom(1)) })
  for (let n = 0; n < 50; n += 1) await spread.ask()
  expect(new Set(spread.hits).size).toBe(2)
  const local = fleet({ instances: [ci1, far], preferLocal: true })
  for (let n = 0; n < 50; n += 1) await local.ask()
  expect(new Set(local.hits)).toEqual(new Set(['127.0.0.1:8081']))
  expect(local.notes[0]).toMatchObject({ notes: ['LOCAL'] })
})

test('routing-12 a process with clks answers 421 to whoever she does not serve, a plain one serves everybody', async () => {
  const registry = memoryRegistry()
  const caller = createKit({ service: 'order', environment: 'test' })
  const hers = createKit({
    service: 'inventory',
    environment: 'test',
    clks: 'alice,team.*',
    owner: 'alice@mac',
    adoptOwnClk: 'never',
    interceptors: [route({ registry })],
  })
  const send = memoryHop(caller, { kit: hers, handler: () => 'served' })
  const ask = async (clk?: string) => {
    const { status, headers } = await send({ url: 'http://inventory/', ...(clk ? { headers: { clk } } : {}) })
    return [status, headers['waybill-refused']]
  }
  const refused = [421, 'ERR_WAYBILL_MISDIRECTED']
  expect(await ask()).toEqual(refused)
  expect(await ask('bob')).toEqual(refused)
  expect(await ask('alice.x')).toEqual(refused)
  for (const clk of ['alice', 'Alice', 'team', 'team.bob']) expect(await ask(clk)).toEqual([200, undefined])
  const plain = createKit({ service: 'inventory', environment: 'test', interceptors: [route({ registry })] })
  const toPlain = memoryHop(caller, { kit: plain, handler: () => 'served' })
  expect((await toPlain({ url: 'http://inventory/', headers: { clk: 'bob' } })).status).toBe(200)
})

test('options are refused at set-up, with their names', () => {
  expect(() => route({ connectMs: 0 })).toThrow(/connectMs/)
  expect(() => route({ zone: 'a b' })).toThrow(/zone/)
})

test('every choice is an event', async () => {
  const events = recordEvents(['selected'])
  const { ask } = fleet({ instances: [alice, ci1] })
  await ask({ clk: 'alice' })
  events.stop()
  expect(events.of('selected')).toMatchObject([
    {
      attempt: 1,
      service: 'inventory',
      clk: 'alice',
      reason: 'TAG_EXACT',
      notes: [],
      instance: 'alice',
      address: ALICE,
    },
  ])
})
