import { expect, test } from 'vitest'
import { decide } from './decide.js'
import type { Decision } from './decide.js'
import { ciInstance, instanceOf, taggedInstance } from './fixtures/instance-of.js'
import type { Instance } from './instance.js'
import { ServiceIndex } from './service-index.js'

function ids({ bucket }: Decision): readonly string[] {
  return bucket ? [...bucket].map(({ instance }) => instance.id).sort() : []
}

function indexOf(...instances: readonly Instance[]): ServiceIndex {
  const index = new ServiceIndex('inventory', { environment: 'test' })
  for (const instance of instances) index.put(instance)
  return index
}

test('the generation grows with changes only; the same record again is none', () => {
  const index = indexOf(ciInstance(1))
  const before = index.generation
  expect(index.put(ciInstance(1))).toBe(false)
  expect(index.delete('nobody')).toBe(false)
  expect(index.generation).toBe(before)
  expect(index.put(ciInstance(1, { weight: 2 }))).toBe(true)
  expect(index.delete('ci1')).toBe(true)
  expect(index.generation).toBe(before + 2)
  expect([...index]).toEqual([])
})

test('an address that is tagged in one view is tagged in all, in either order of arrival', () => {
  const laptop = taggedInstance('alice', { port: 7000 })
  const plain = instanceOf({ id: 'plain', port: 7000, zone: 'az-ci' })
  for (const world of [
    [laptop, plain],
    [plain, laptop],
  ]) {
    const index = indexOf(...world)
    expect(decide(index, {}).reason).toBe('ONLY_FOREIGN_TAGS')
    expect(ids(decide(index, { clk: 'alice' }))).toEqual(['alice'])
    index.delete('alice')
    expect(ids(decide(index, {}))).toEqual(['plain'])
  }
})

test('even a disabled laptop keeps its address out of the baseline', () => {
  const index = indexOf(
    taggedInstance('alice', { port: 7000, enabled: false }),
    instanceOf({ id: 'plain', port: 7000 }),
  )
  expect(decide(index, {}).reason).toBe('NO_PROVIDER')
})

test('where tags are claimed, a caller takes an instance from the holder only', () => {
  const index = new ServiceIndex('inventory', { claimed: true })
  index.put(taggedInstance('alice'))
  index.put(taggedInstance('mallory', { clks: ['alice'] }))
  expect(ids(decide(index, { clk: 'alice' }))).toEqual([])
  index.hold('alice', 'alice@mac')
  expect(ids(decide(index, { clk: 'alice' }))).toEqual(['alice'])
  index.hold('alice', 'mallory@mac')
  expect(ids(decide(index, { clk: 'alice' }))).toEqual(['mallory'])
  index.hold('alice', undefined)
  expect(decide(index, { clk: 'alice' })).toMatchObject({ reason: 'NO_PROVIDER', notes: ['TAG_UNHEALTHY'] })
})

test('of several clks only the ones that the owner holds are served', () => {
  const index = new ServiceIndex('inventory', { claimed: true })
  index.put(taggedInstance('p', { clks: ['alice', 'bob'] }))
  index.hold('bob', 'p@mac')
  expect(ids(decide(index, { clk: 'alice' }))).toEqual([])
  expect(ids(decide(index, { clk: 'bob' }))).toEqual(['p'])
})

test('routing-25 another environment is never a candidate', () => {
  const index = indexOf(
    instanceOf({ id: 'g1', port: 1, clks: ['gray'], owner: 'g' }),
    instanceOf({ id: 'g2', port: 2, clks: ['gray'], owner: 'g', environment: 'staging' }),
    instanceOf({ id: 'p', port: 3 }),
  )
  expect(ids(decide(index, { clk: 'gray' }))).toEqual(['g1'])
  expect(ids(decide(index, {}))).toEqual(['p'])
  index.delete('g1')
  expect(ids(decide(index, { clk: 'gray' }))).toEqual(['p'])
})

test('routing-19 down, up, down, up: the last word counts', () => {
  const index = indexOf(ciInstance(1))
  for (const enabled of [false, true, false, true]) index.put(taggedInstance('alice', { enabled }))
  expect(ids(decide(index, { clk: 'alice' }))).toEqual(['alice'])
})

test('routing-26 a decision is of one generation, and what it was made of is never written to', () => {
  const frozen = [taggedInstance('alice'), taggedInstance('bob'), ciInstance(1)]
  const copy = structuredClone(frozen)
  const index = indexOf(...frozen)
  const a = ids(decide(index, { clk: 'alice' }))
  const b = ids(decide(index, { clk: 'bob' }))
  expect([a, b]).toEqual([['alice'], ['bob']])
  expect(frozen).toEqual(copy)
  expect(frozen.every((each) => Object.isFrozen(each))).toBe(true)
})

test('weight 0 is never picked, tagged or not', () => {
  const index = indexOf(ciInstance(1, { weight: 0 }), taggedInstance('alice', { weight: 0 }), ciInstance(2))
  expect(ids(decide(index, {}))).toEqual(['ci2'])
  expect(decide(index, { clk: 'alice', zone: 'az-ci' })).toMatchObject({
    reason: 'BASELINE_ZONE',
    notes: ['TAG_UNHEALTHY'],
  })
})

test('what was learnt about an address outlives a new record of it, and not a new address', () => {
  const index = indexOf(ciInstance(1), ciInstance(2))
  const judge = (): void => {
    const provider = index.provider('ci1')
    if (provider) index.judge(provider, { failing: true, ejected: true })
  }
  judge()
  expect(index.ejectedCount).toBe(1)
  index.put(ciInstance(1, { weight: 5 }))
  expect(ids(decide(index, {}))).toEqual(['ci2'])
  index.put(ciInstance(1, { port: 9999 }))
  expect(ids(decide(index, {}))).toEqual(['ci1', 'ci2'])
  expect(index.ejectedCount).toBe(0)
})

test('views beyond the limit are given up and made anew', () => {
  const index = indexOf(ciInstance(1, { cell: 'sz' }))
  const first = index.view({ cell: 'sz' })
  for (let n = 0; n < 100; n += 1) index.view({ cell: `c${String(n)}` })
  index.put(ciInstance(2, { cell: 'sz' }))
  expect(index.view({ cell: 'sz' })).not.toBe(first)
  expect(ids(decide(index, { require: { cell: 'sz' } }))).toEqual(['ci1', 'ci2'])
})

/** Counts every field that is read of any instance while `fn` runs. */
function readsDuring(size: number, fn: (index: ServiceIndex) => void): number {
  let reads = 0
  const spy = (instance: Instance): Instance =>
    new Proxy(instance, {
      get(target, key, receiver) {
        reads += 1
        return Reflect.get(target, key, receiver) as unknown
      },
    })
  const index = new ServiceIndex('inventory', { environment: 'test' })
  const one = instanceOf({})
  for (let n = 0; n < size; n += 1) {
    const host = `10.${String(n >> 16)}.${String((n >> 8) & 255)}.${String(n & 255)}`
    const zone = n % 2 === 0 ? 'az-ci' : 'az-b'
    index.put(spy({ ...one, id: `i${String(n)}`, host, zone, cell: `c${String(n % 4)}` }))
  }
  index.put(spy(taggedInstance('alice', { host: '192.168.0.1' })))
  index.view({ cell: 'c1' })
  reads = 0
  fn(index)
  return reads
}

test('a decision and a change touch as many instances among 100,000 as among 10', () => {
  const work = (index: ServiceIndex): void => {
    for (const clk of ['alice', 'alice.x', undefined])
      decide(index, { clk, zone: 'az-ci', tried: ['i1', 'alice'] })
    decide(index, { require: { cell: 'c1' } })
    index.put(instanceOf({ id: 'i4', host: '10.0.0.4', zone: 'az-b' }))
    index.delete('i2')
  }
  expect(readsDuring(100_000, work)).toBe(readsDuring(10, work))
}, 30_000)
