import { expect, test } from 'vitest'
import { seededRandom } from './fixtures/seeded-random.js'
import { SteadyMap } from './steady-map.js'

test('holds what a Map would, through growing and shrinking', () => {
  const random = seededRandom(5)
  const steady = new SteadyMap<number>()
  const plain = new Map<string, number>()
  for (let n = 0; n < 60_000; n += 1) {
    const key = `inventory@10.0.${String(Math.floor(random() * 20_000))}`
    if (random() < 0.4) expect(steady.delete(key)).toBe(plain.delete(key))
    else {
      steady.set(key, n)
      plain.set(key, n)
    }
  }
  expect(steady.size).toBe(plain.size)
  expect(new Set(steady.values())).toEqual(new Set(plain.values()))
  for (const [key, value] of plain) expect(steady.get(key)).toBe(value)
  expect(steady.get('nobody')).toBeUndefined()
  steady.clear()
  expect([steady.size, [...steady.values()]]).toEqual([0, []])
})

test('texts of one hash are kept apart by themselves', () => {
  const steady = new SteadyMap<string>()
  // These differ in no bit of their FNV-1a hash.
  const twins = ['costarring', 'liquid']
  for (let n = 0; n < 3_000; n += 1) steady.set(String(n), '')
  for (const twin of twins) steady.set(twin, twin)
  for (const twin of twins) expect(steady.get(twin)).toBe(twin)
})

test('while there are few, they come in the order of insertion', () => {
  const steady = new SteadyMap<number>()
  for (const n of [3, 1, 2]) steady.set(String(n), n)
  expect([...steady.values()]).toEqual([3, 1, 2])
})
