import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Bucket } from './bucket.js'
import { seededRandom } from './fixtures/seeded-random.js'
import { instanceOf } from './fixtures/instance-of.js'
import { Provider } from './provider.js'

function provider(id: string, weight: number): Provider {
  return new Provider(instanceOf({ id, weight }))
}

function leave(it: Provider): void {
  for (const place of it.places.splice(0)) place.bucket.remove(place)
}

test('whatever comes and goes, a bucket holds what a set would', () => {
  const weight = fc.constantFrom(1, 1, 1, 0.1, 3, 4, 5, 1000)
  const step = fc.record({ id: fc.integer({ min: 0, max: 12 }), weight })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const bucket = new Bucket()
      const members = new Map<number, Provider>()
      for (const { id, weight } of steps) {
        const known = members.get(id)
        if (known) {
          leave(known)
          members.delete(id)
        } else {
          const added = provider(String(id), weight)
          members.set(id, added)
          bucket.add(added)
        }
        expect(new Set(bucket)).toEqual(new Set(members.values()))
        expect(bucket.size).toBe(members.size)
        expect(new Set(members.values())).toEqual(
          new Set([...members.keys()].map((_, index) => bucket.at(index))),
        )
        const weights = new Set([...members.values()].map(({ instance }) => instance.weight))
        expect(bucket.even).toBe(
          weights.size === 1 && [...weights].every((each) => Number.isInteger(Math.log2(each))),
        )
      }
    }),
    { numRuns: 300 },
  )
})

test('draws are in proportion to weight, over many sizes of it', () => {
  const bucket = new Bucket()
  const weights = { a: 1, b: 2, c: 3, d: 0.5, e: 10 }
  for (const [id, weight] of Object.entries(weights)) bucket.add(provider(id, weight))
  const gone = provider('gone', 700)
  bucket.add(gone)
  leave(gone)
  const random = seededRandom(7)
  const counts = new Map<string, number>()
  const draws = 60_000
  for (let n = 0; n < draws; n += 1) {
    const { id } = bucket.draw(random).instance
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0)
  for (const [id, weight] of Object.entries(weights)) {
    const share = (counts.get(id) ?? 0) / draws
    expect(Math.abs(share - weight / total)).toBeLessThan(0.01)
  }
})

test('of many with equal weights two different ones are drawn, and each as often', () => {
  const bucket = new Bucket()
  const members = Array.from({ length: 5 }, (_, n) => provider(String(n), 1))
  for (const each of members) bucket.add(each)
  // The heaviest of all is taken only where it would be compared with itself.
  members[2]?.health.begin()
  const random = seededRandom(9)
  const counts = members.map(() => 0)
  for (let n = 0; n < 20_000; n += 1) {
    const index = bucket.drawOfTwo(random) as number
    counts[index] = (counts[index] as number) + 1
  }
  expect(counts[2]).toBe(0)
  for (const at of [0, 1, 3, 4]) expect((counts[at] as number) / 20_000).toBeCloseTo(0.25, 1)
})

test('whatever changes, a bucket compares the load that each member has now', () => {
  const step = fc.record({
    id: fc.integer({ min: 0, max: 3 }),
    what: fc.constantFrom('begin', 'end', 'observe', 'failing', 'well', 'move', 'replace'),
    weight: fc.constantFrom(1, 3),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const bucket = new Bucket()
      const members = [0, 1, 2, 3].map((id) => provider(String(id), 1))
      for (const each of members) bucket.add(each)
      for (const [now, { id, what, weight }] of steps.entries()) {
        const member = members[id] as Provider
        if (what === 'begin') member.health.begin()
        else if (what === 'end') member.health.end()
        else if (what === 'observe') member.health.observe(now, 1 + now)
        else if (what === 'failing') member.health.failing = true
        else if (what === 'well') member.health.failing = false
        else {
          leave(member)
          const next = what === 'move' ? member : new Provider(instanceOf({ id: String(id), weight }), member)
          members[id] = next
          bucket.add(next)
          // A call that began before the record changed still counts.
          if (what === 'replace') expect(next.health).toBe(member.health)
        }
        for (const { places, load } of members) {
          const [place] = places
          expect(place?.weightClass.loads[place.position]).toBe(load)
        }
        for (let at = 0; at < bucket.size; at += 1) {
          expect(bucket.instanceAt(at)).toBe(bucket.at(at).instance)
        }
      }
    }),
    { numRuns: 200 },
  )
})
