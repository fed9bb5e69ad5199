import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decide } from './decide.js'
import type { Decision, DecisionRequest } from './decide.js'
import type { Instance } from './instance.js'
import { indexInstances } from './instance-list.js'
import type { InstanceInput } from './instance-list.js'
import { ServiceIndex } from './service-index.js'

interface Seen {
  readonly step: number
  readonly reason: string
  readonly notes: readonly string[]
  readonly ids: readonly string[]
  readonly owners: readonly string[]
}

function seen(decision: Decision): Seen {
  const { step, reason, notes, bucket, leftOut, owners } = decision
  const ids = bucket ? [...bucket].filter((provider) => !leftOut.includes(provider)) : []
  return {
    step,
    reason,
    notes,
    ids: ids.map(({ instance }) => instance.id).sort(),
    owners: [...owners].sort(),
  }
}

/** An instance of the generated world, with what its caller has found out about it. */
interface Known extends Instance {
  readonly health: 'good' | 'failing' | 'ejected'
}

/**
 * The table read aloud over a plain list: no index, no buckets, no counters, no order of changes, and no line shared
 * with the code.
 */
function readTable(
  all: readonly Known[],
  request: DecisionRequest,
  holders: Map<string, string> | undefined,
): Seen {
  const { clk, zone, policy = 'baseline', tried = [], address = false, require = {} } = request
  const world = all.filter(
    ({ environment, cell, metadata }) =>
      environment === 'test' &&
      (require.cell === undefined || cell === require.cell) &&
      (require.role === undefined || metadata['role'] === require.role),
  )
  const isTagged = (it: Known): boolean => it.clks.length > 0
  const taggedAddresses = all.filter(isTagged).map(({ host, port }) => `${host} ${port}`)
  const untagged = world.filter((it) => !isTagged(it) && !taggedAddresses.includes(`${it.host} ${it.port}`))
  const isCandidate = (it: Known): boolean =>
    it.enabled && it.weight > 0 && (isTagged(it) || it.health !== 'ejected')
  const mayServe = (it: Known, pattern: string): boolean =>
    holders === undefined || holders.get(pattern.replace('.*', '')) === it.owner
  const free = (list: readonly Known[]): readonly Known[] => list.filter(({ id }) => !tried.includes(id))
  const notes = new Set<string>()
  const result = (
    step: number,
    reason: string,
    list: readonly Known[] = [],
    owners: readonly string[] = [],
  ): Seen => ({
    step,
    reason,
    notes: [...notes].sort(),
    ids: free(list)
      .map(({ id }) => id)
      .sort(),
    owners: [...new Set(owners)].sort(),
  })

  const levels =
    clk === undefined ? [] : clk.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('.'))
  for (const level of levels.reverse()) {
    const patterns = level === clk ? [level, `${level}.*`] : [`${level}.*`]
    const announced = world.filter(({ clks }) => patterns.some((pattern) => clks.includes(pattern)))
    const able = announced.filter(
      (it) =>
        isCandidate(it) && patterns.some((pattern) => it.clks.includes(pattern) && mayServe(it, pattern)),
    )
    if (able.some(({ id }) => tried.includes(id))) notes.add('TAG_TRIED')
    if (announced.length > 0 && able.length === 0) notes.add('TAG_UNHEALTHY')
    if (free(able).length > 0)
      return result(level === clk ? 1 : 2, level === clk ? 'TAG_EXACT' : 'TAG_PARENT', able)
  }
  if (clk !== undefined && policy === 'strict') return result(3, 'STRICT_NO_MATCH')

  const inZone = untagged.filter((it) => zone !== undefined && it.zone === zone)
  const healthy = inZone.filter((it) => isCandidate(it) && it.health === 'good')
  const able = untagged.filter(isCandidate)
  const elsewhere = free(able).filter((it) => !inZone.includes(it))
  if (free(inZone.filter(isCandidate)).length > 0) {
    const spills = healthy.length < inZone.length / 2
    const stays = policy === 'zone-only' ? healthy.length > 0 : !spills || elsewhere.length === 0
    if (stays) return result(4, 'BASELINE_ZONE', inZone.filter(isCandidate))
  }
  if (policy !== 'zone-only' && free(able).length > 0) return result(5, 'BASELINE_ANY', able)
  if (address && require.cell === undefined && require.role === undefined)
    return result(6, 'BASELINE_ADDRESS')
  const foreign = free(
    world.filter((it) => isTagged(it) && isCandidate(it) && it.clks.some((clk) => mayServe(it, clk))),
  )
  if (foreign.length > 0) {
    return result(
      7,
      'ONLY_FOREIGN_TAGS',
      [],
      foreign.map((it) => it.owner as string),
    )
  }
  return result(8, 'NO_PROVIDER')
}

const tag = fc.constantFrom('alice', 'bob', 'team', 'team.alice', 'team.bob', 'team.a.b', 'te')
const pattern = fc.oneof(
  tag,
  tag.map((text) => `${text}.*`),
)
const zone = fc.constantFrom('az-ci', 'az-b', undefined)
const owner = fc.constantFrom('ann', 'ben')
const cell = fc.constantFrom('sz', 'hz', undefined)
const role = fc.constantFrom('link', undefined)

const known: fc.Arbitrary<Omit<Known, 'id'>> = fc
  .record({
    environment: fc.constantFrom('test', 'test', 'test', 'staging'),
    service: fc.constant('inventory'),
    host: fc.constant('10.0.0.1'),
    port: fc.integer({ min: 1, max: 6 }),
    zone,
    cell,
    role,
    owner,
    clks: fc.oneof(fc.constant([]), fc.uniqueArray(pattern, { minLength: 1, maxLength: 3 })),
    weight: fc.constantFrom(1, 1, 1, 0, 0.3, 5),
    enabled: fc.constantFrom(true, true, true, false),
    health: fc.constantFrom('good' as const, 'good' as const, 'failing' as const, 'ejected' as const),
  })
  .map(({ zone, cell, role, ...rest }) => ({
    ...rest,
    ...(zone === undefined ? {} : { zone }),
    ...(cell === undefined ? {} : { cell }),
    metadata: role === undefined ? {} : { role },
  }))

const ID = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
type Change =
  | { readonly put: Known }
  | { readonly drop: string }
  | { readonly hold: string; readonly by: string | undefined }
  | { readonly ask: { readonly cell?: string; readonly role?: string } }

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(ID, known).map(([id, it]) => ({ put: { id, ...it } })) },
  { weight: 2, arbitrary: ID.map((drop) => ({ drop })) },
  { weight: 2, arbitrary: fc.record({ hold: tag, by: fc.option(owner, { nil: undefined }) }) },
  { weight: 1, arbitrary: fc.record({ cell, role }).map((ask) => ({ ask: requirement(ask) })) },
)

function requirement({ cell, role }: { cell: string | undefined; role: string | undefined }): {
  cell?: string
  role?: string
} {
  return { ...(cell === undefined ? {} : { cell }), ...(role === undefined ? {} : { role }) }
}

const question: fc.Arbitrary<DecisionRequest> = fc.record({
  clk: fc.option(fc.oneof(tag, fc.constantFrom('team.alice.x', 'te.a', 'carol')), { nil: undefined }),
  zone,
  policy: fc.constantFrom('baseline', 'strict', 'zone-only'),
  tried: fc.uniqueArray(ID, { maxLength: 2 }),
  address: fc.boolean(),
  require: fc.record({ cell, role }).map(requirement),
})

test('decide says what a brute-force reading of the table says, whatever changes came before', () => {
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 40 }),
      fc.array(question, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      (changes, questions, claimed) => {
        const index = new ServiceIndex('inventory', { environment: 'test', claimed })
        const world = new Map<string, Known>()
        const holders = new Map<string, string>()
        for (const each of changes) {
          if ('put' in each) {
            const { health, ...instance } = each.put
            index.put(Object.freeze(instance))
            const failing = health !== 'good'
            const provider = index.provider(instance.id)
            if (provider)
              index.judge(provider, { failing, ejected: health === 'ejected' && !provider.tagged })
            world.delete(instance.id)
            world.set(instance.id, each.put)
          } else if ('drop' in each) {
            expect(index.delete(each.drop)).toBe(world.delete(each.drop))
          } else if ('hold' in each) {
            index.hold(each.hold, each.by)
            if (each.by === undefined) holders.delete(each.hold)
            else holders.set(each.hold, each.by)
          } else {
            // Views that are asked for early must follow every later change.
            index.view(each.ask)
          }
        }
        for (const request of questions) {
          const found = seen(decide(index, request))
          const expected = readTable([...world.values()], request, claimed ? holders : undefined)
          expect({ ...found, notes: [...found.notes].sort() }).toEqual(expected)
        }
      },
    ),
    { numRuns: 1500 },
  )
})

const ci1: InstanceInput = { id: 'ci1', host: '10.0.0.1', port: 1, zone: 'az-ci' }
const ci2: InstanceInput = { id: 'ci2', host: '10.0.0.2', port: 1, zone: 'az-ci' }
const alice: InstanceInput = {
  id: 'alice',
  host: '10.0.1.1',
  port: 1,
  zone: 'az-local',
  clks: ['alice'],
  owner: 'alice@mac',
}
const bob: InstanceInput = {
  id: 'bob',
  host: '10.0.1.2',
  port: 1,
  zone: 'az-local',
  clks: ['bob'],
  owner: 'bob@pc',
}

function ask(instances: readonly InstanceInput[], request: DecisionRequest): Seen {
  return seen(decide(indexInstances(instances).index, { zone: 'az-ci', ...request }))
}

test('D2-1 a tag that nobody registered is served by az-ci alone', () => {
  expect(ask([ci1, ci2, alice, bob], { clk: 'carol' })).toMatchObject({
    reason: 'BASELINE_ZONE',
    ids: ['ci1', 'ci2'],
  })
})

test('D2-2 an untagged request never meets a tagged instance, even one whose zone is az-ci', () => {
  expect(ask([ci1, { ...alice, zone: 'az-ci' }], {})).toMatchObject({ reason: 'BASELINE_ZONE', ids: ['ci1'] })
})

test('D2-3 with laptops only, an untagged request gets nobody and learns whose they are', () => {
  expect(ask([alice, bob], {})).toEqual({
    step: 7,
    reason: 'ONLY_FOREIGN_TAGS',
    notes: [],
    ids: [],
    owners: ['alice@mac', 'bob@pc'],
  })
})

test('S2-6 the same clk first, then az-ci, then the rest', () => {
  const b1: InstanceInput = { id: 'b1', host: '10.0.2.1', port: 1, zone: 'az-b' }
  expect(ask([b1, ci1, alice], { clk: 'alice' }).ids).toEqual(['alice'])
  expect(ask([b1, ci1, alice], { clk: 'carol' }).ids).toEqual(['ci1'])
  expect(ask([b1, alice], { clk: 'carol' })).toMatchObject({ reason: 'BASELINE_ANY', ids: ['b1'] })
})

test('routing-5 never a foreign tag: an address where there is one, else none', () => {
  const red: InstanceInput = { id: 'r', host: '10.0.1.3', port: 1, clks: ['red'], owner: 'rita' }
  const plain: InstanceInput = { id: 'n', host: '10.0.1.4', port: 1 }
  expect(ask([red, plain], { clk: 'black' }).ids).toEqual(['n'])
  for (const clk of ['black', undefined]) {
    expect(ask([red], { clk })).toMatchObject({ reason: 'ONLY_FOREIGN_TAGS', ids: [], owners: ['rita'] })
    expect(ask([red], { clk, address: true })).toMatchObject({ reason: 'BASELINE_ADDRESS', ids: [] })
  }
})

test('routing-13 a tag whose instances are no candidates falls to the baseline with a note', () => {
  const world = [{ ...alice, enabled: false }, ci1]
  expect(ask(world, { clk: 'alice' })).toMatchObject({
    reason: 'BASELINE_ZONE',
    ids: ['ci1'],
    notes: ['TAG_UNHEALTHY'],
  })
  expect(ask(world, { clk: 'alice', policy: 'strict' })).toMatchObject({
    reason: 'STRICT_NO_MATCH',
    ids: [],
    notes: ['TAG_UNHEALTHY'],
  })
})

test('routing-22 segments make the hierarchy, not prefixes', () => {
  const p: InstanceInput = { id: 'p', host: '10.0.1.1', port: 1, clks: ['dev.proj.*'] }
  expect(ask([p, ci1], { clk: 'dev.proj.alice' })).toMatchObject({ reason: 'TAG_PARENT', ids: ['p'] })
  const q: InstanceInput = { id: 'q', host: '10.0.1.2', port: 1, clks: ['dev.proj-ab.*'] }
  const d: InstanceInput = { id: 'd', host: '10.0.1.3', port: 1, clks: ['dev.*'] }
  expect(ask([q, d, ci1], { clk: 'dev.proj-abc' })).toMatchObject({ reason: 'TAG_PARENT', ids: ['d'] })
  expect(ask([q, { ...d, clks: ['dev'] }, ci1], { clk: 'dev.proj-abc' }).ids).toEqual(['ci1'])
})

test('a subtree that nobody announces any more is not taken for an unhealthy one', () => {
  const { index } = indexInstances([
    { id: 'lead', host: '10.0.1.1', port: 1, clks: ['team'] },
    { id: 'all', host: '10.0.1.2', port: 1, clks: ['team.*'], enabled: false },
    { id: 'crew', host: '10.0.1.3', port: 1, clks: ['crew.*'] },
  ])
  expect(decide(index, { clk: 'team.alice' }).notes).toEqual(['TAG_UNHEALTHY'])
  index.delete('all')
  expect(decide(index, { clk: 'team.alice' }).notes).toEqual([])
  expect(seen(decide(index, { clk: 'team' })).ids).toEqual(['lead'])
})

test('routing-23 three policies, three documented results', () => {
  const n: InstanceInput = { id: 'n', host: '10.0.2.1', port: 1, zone: 'az-b' }
  expect(ask([n], { clk: 'ghost', policy: 'strict' }).reason).toBe('STRICT_NO_MATCH')
  expect(ask([n], { clk: 'ghost', policy: 'zone-only' }).reason).toBe('NO_PROVIDER')
  expect(ask([n], { clk: 'ghost', policy: 'zone-only', address: true }).reason).toBe('BASELINE_ADDRESS')
  expect(ask([n], { clk: 'ghost', policy: 'baseline' })).toMatchObject({ reason: 'BASELINE_ANY', ids: ['n'] })
})

test('routing-100 one foreign-tagged instance is not taken for being the only one', () => {
  expect(ask([bob], { clk: 'alice' })).toMatchObject({
    reason: 'ONLY_FOREIGN_TAGS',
    ids: [],
    owners: ['bob@pc'],
  })
  expect(ask([bob], { clk: 'alice', address: true }).reason).toBe('BASELINE_ADDRESS')
})

test('routing-105 tags are compared whole: neither pr-123 for pr-12 nor alice2 for alice', () => {
  const world: InstanceInput[] = [{ ...alice, clks: ['pr-12'] }, { ...bob, clks: ['alice'] }, ci1]
  for (const clk of ['pr-123', 'pr-1', 'alice2', 'x-alice']) expect(ask(world, { clk }).ids).toEqual(['ci1'])
})

test('routing-30 a zone of which less than half is healthy spills over; failing ones that stay candidates count', () => {
  const zone = Array.from({ length: 5 }, (_, n) => ({
    id: `ci${n}`,
    host: '10.0.0.1',
    port: n + 1,
    zone: 'az-ci',
  }))
  const b: InstanceInput = { id: 'b', host: '10.0.2.1', port: 1, zone: 'az-b' }
  const { index } = indexInstances([...zone, b])
  const fail = (count: number): void => {
    for (let n = 0; n < 5; n += 1) {
      const provider = index.provider(`ci${n}`)
      if (provider) index.judge(provider, { failing: n < count, ejected: n < count && n === 0 })
    }
  }
  fail(2)
  expect(seen(decide(index, { zone: 'az-ci' }))).toMatchObject({ reason: 'BASELINE_ZONE' })
  fail(4)
  expect(seen(decide(index, { zone: 'az-ci' }))).toMatchObject({ reason: 'BASELINE_ANY' })
  expect(seen(decide(index, { zone: 'az-ci' })).ids).toContain('b')
  fail(5)
  expect(decide(index, { zone: 'az-ci', policy: 'zone-only' }).reason).toBe('NO_PROVIDER')
  expect(decide(index, { zone: 'az-ci', policy: 'zone-only', address: true }).reason).toBe('BASELINE_ADDRESS')
})

test('routing-31 an instance beside the caller comes first only where that is asked for', () => {
  const local = new Set(['10.0.0.1'])
  expect(ask([ci1, ci2], {}).ids).toEqual(['ci1', 'ci2'])
  expect(ask([ci1, ci2], { local })).toMatchObject({
    ids: ['ci1'],
    notes: ['LOCAL'],
    reason: 'BASELINE_ZONE',
  })
})

test('a hard requirement leaves no way out through an address', () => {
  const { index } = indexInstances([{ ...ci1, cell: 'sz' }])
  expect(seen(decide(index, { require: { cell: 'sz' } })).ids).toEqual(['ci1'])
  expect(decide(index, { require: { cell: 'hz' }, address: true }).reason).toBe('NO_PROVIDER')
})

test('a stale snapshot says so', () => {
  const { index } = indexInstances([ci1])
  index.stale = true
  expect(decide(index, {}).notes).toEqual(['STALE_SNAPSHOT'])
})
