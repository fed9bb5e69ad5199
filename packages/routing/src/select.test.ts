import { expect, test, vi } from 'vitest'
import { roundRobin } from './balance/round-robin.js'
import { twoChoices } from './balance/two-choices.js'
import { explain } from './explain.js'
import { ciInstance, taggedInstance } from './fixtures/instance-of.js'
import { seededRandom } from './fixtures/seeded-random.js'
import type { InstanceInput } from './instance-list.js'
import { select } from './select.js'
import type { SelectRequest } from './select.js'
import { ServiceIndex } from './service-index.js'

const ci: InstanceInput = { id: 'ci', host: '10.0.0.1', port: 1, zone: 'az-ci' }
const alice: InstanceInput = { id: 'alice', host: '10.0.1.1', port: 1, clks: 'alice', owner: 'alice@mac' }

function pick(instances: readonly InstanceInput[], request: SelectRequest): string | undefined {
  return select(instances, { zone: 'az-ci', ...request }).instance?.id
}

test('D2-4 an empty tag is untagged', () => {
  expect(pick([ci, alice], { clk: '' })).toBe('ci')
})

test('D2-5 spaces around the tag do not count', () => {
  expect(pick([ci, alice], { clk: ' alice ' })).toBe('alice')
})

test('D2-6 null and undefined are untagged', () => {
  expect([pick([ci, alice], { clk: null }), pick([ci, alice], { clk: undefined })]).toEqual(['ci', 'ci'])
})

test('D2-7 no word means "no tag": an instance announced as default serves the tag default alone', () => {
  const odd: InstanceInput = { ...alice, clks: ['default'] }
  expect([pick([ci, odd], { clk: 'default' }), pick([ci, odd], {})]).toEqual(['alice', 'ci'])
})

test('D2-8 tags are compared in one normal form', () => {
  expect(pick([ci, { ...alice, clks: ['Alice'] }], { clk: 'ALICE' })).toBe('alice')
})

test('routing-1 routing-2 routing-17 an untagged request never meets a tagged instance, in either order', () => {
  for (const list of [
    [ci, alice],
    [alice, ci],
  ]) {
    for (let n = 0; n < 100; n += 1) expect(pick(list, {})).toBe('ci')
    expect(pick(list, { clk: 'alice' })).toBe('alice')
    expect(pick(list, { clk: 'alice_' })).toBe('ci')
    expect(pick(list, { clk: 'dev' })).toBe('ci')
  }
})

test('routing-3 with nothing configured the tag is what the request says', () => {
  expect(pick([{ ...alice, clks: ['x'] }], { clk: 'x' })).toBe('alice')
})

test('routing-7 an instance of several clks serves each, and others fall to the baseline', () => {
  const both: InstanceInput = { ...alice, clks: 'alice,bob' }
  expect(['alice', 'bob', 'carol'].map((clk) => pick([both, ci], { clk }))).toEqual(['alice', 'alice', 'ci'])
  expect(pick([{ ...alice, clks: 'alice,b_b' }, ci], { clk: 'alice' })).toBe('ci')
  expect(select([{ ...alice, clks: 'alice,b_b' }], {}).reason).toBe('NO_PROVIDER')
})

test('routing-14 routing-18 routing-28 an unknown tag never takes the baseline away, and never meets a foreign one', () => {
  const red: InstanceInput = { ...alice, clks: ['red'] }
  const other: InstanceInput = { id: 'b', host: '10.0.0.2', port: 1, zone: 'az-b' }
  expect(pick([red, ci, other], { clk: 'ghost' })).toBe('ci')
})

test('routing-25 in a list, another environment is never a candidate', () => {
  const list: InstanceInput[] = [
    { id: 'g1', host: 'h', port: 1, clks: ['gray'], owner: 'g', environment: 'test' },
    { id: 'g2', host: 'h', port: 2, clks: ['gray'], owner: 'g', environment: 'staging' },
    { id: 'p', host: 'h', port: 3, environment: 'test' },
  ]
  expect(pick(list, { clk: 'gray', environment: 'test' })).toBe('g1')
  expect(pick(list.slice(1), { clk: 'gray', environment: 'test' })).toBe('p')
})

test('routing-26 frozen input stays as it was, over interleaved questions', () => {
  const list = Object.freeze([
    Object.freeze({ ...alice, clks: Object.freeze(['alice']) }),
    Object.freeze({ ...ci }),
  ])
  const copy = structuredClone(list)
  expect([pick(list, { clk: 'alice' }), pick(list, { clk: 'bob' }), pick(list, { clk: 'alice' })]).toEqual([
    'alice',
    'ci',
    'alice',
  ])
  expect(list).toEqual(copy)
})

test('context spring-cloud/spring-cloud-commons#1227 the tag comes before the zone', () => {
  const local: InstanceInput = { ...alice, zone: 'az-local' }
  const other: InstanceInput = { id: 'b', host: '10.0.0.2', port: 1, zone: 'az-b' }
  expect(select([local, ci, other], { clk: 'alice', zone: 'az-ci' })).toMatchObject({ reason: 'TAG_EXACT' })
  expect(select([local, ci, other], { zone: 'AZ-CI' })).toMatchObject({
    reason: 'BASELINE_ZONE',
    instance: { id: 'ci' },
  })
})

test('an index and a balancer can be handed in', () => {
  const index = new ServiceIndex('inventory')
  for (const n of [1, 2]) index.put(ciInstance(n))
  const balancer = roundRobin()
  const picks = [1, 2, 3].map(() => select(index, {}, { balancer }).instance?.id)
  expect(picks).toEqual(['ci1', 'ci2', 'ci1'])
  const seeded = (): readonly (string | undefined)[] => {
    const options = { balancer: twoChoices(seededRandom(1)) }
    return Array.from({ length: 20 }, () => select(index, {}, options).instance?.id)
  }
  expect(seeded()).toEqual(seeded())
})

test('context apache/dubbo#4525 a tag that only others announce is served by the untagged one; strict says no', () => {
  const instances: InstanceInput[] = [{ ...alice, clks: 'qa' }, ci]
  expect(pick(instances, { clk: 'dev' })).toBe('ci')
  expect(select(instances, { clk: 'dev', zone: 'az-ci', policy: 'strict' }).reason).toBe('STRICT_NO_MATCH')
})

test('context spring-cloud/spring-cloud-gateway#1811 the preferred zone comes first, and others where it is empty', () => {
  const elsewhere: InstanceInput = { id: 'b', host: '10.0.0.2', port: 1, zone: 'az-b' }
  expect(select([elsewhere, ci], { zone: 'AZ-CI ' })).toMatchObject({
    reason: 'BASELINE_ZONE',
    instance: { id: 'ci' },
  })
  expect(select([elsewhere], { zone: 'az-ci' })).toMatchObject({
    reason: 'BASELINE_ANY',
    instance: { id: 'b' },
  })
})

test('an index of another copy of the package keeps what it knows: environment, holders, ejection', async () => {
  vi.resetModules()
  const other = await import('./service-index.js')
  expect(other.ServiceIndex).not.toBe(ServiceIndex)
  const index = new other.ServiceIndex('inventory', { environment: 'test', claimed: true })
  index.put(taggedInstance('mallory', { clks: ['alice'] }))
  index.put(ciInstance(1, { environment: 'staging' }))
  index.put(ciInstance(2))
  index.hold('alice', 'alice@mac')
  expect(select(index, { clk: 'alice', zone: 'az-ci' }).instance?.id).toBe('ci2')
  expect(explain(index, { clk: 'alice' }).verdicts).toMatchObject([
    { id: 'mallory', verdict: 'NOT_THE_HOLDER' },
    { id: 'ci1', verdict: 'OTHER_ENVIRONMENT' },
    { id: 'ci2', verdict: 'ELIGIBLE' },
  ])
})
