import { expect, test } from 'vitest'
import { Bucket } from '../bucket.js'
import { ciInstance } from '../fixtures/instance-of.js'
import { seededRandom } from '../fixtures/seeded-random.js'
import { Provider } from '../provider.js'
import { twoChoices } from './two-choices.js'

function bucketOf(...weights: readonly number[]): { bucket: Bucket; providers: readonly Provider[] } {
  const bucket = new Bucket()
  const providers = weights.map((weight, n) => new Provider(ciInstance(n, { weight })))
  for (const provider of providers) bucket.add(provider)
  return { bucket, providers }
}

/** Share of each provider in many picks. */
function shares(
  bucket: Bucket,
  providers: readonly Provider[],
  leftOut: readonly Provider[] = [],
): readonly number[] {
  const balancer = twoChoices(seededRandom(3))
  const counts = providers.map(() => 0)
  const picks = 20_000
  for (let n = 0; n < picks; n += 1) {
    const place = providers.indexOf(balancer.pick(bucket, leftOut))
    counts[place] = (counts[place] as number) + 1
  }
  return counts.map((count) => count / picks)
}

test('equal and idle instances get equal shares', () => {
  const { bucket, providers } = bucketOf(1, 1, 1, 1)
  for (const share of shares(bucket, providers)) expect(share).toBeCloseTo(0.25, 1)
})

test('idle instances get shares by weight', () => {
  const { bucket, providers } = bucketOf(3, 1)
  expect(shares(bucket, providers)[0]).toBeCloseTo(0.75, 1)
})

test('weights hold where load decides: the lighter one of two is not in every draw', () => {
  const { bucket, providers } = bucketOf(3, 1)
  const random = seededRandom(11)
  const balancer = twoChoices(seededRandom(3))
  let heavy = 0
  for (let n = 0; n < 20_000; n += 1) {
    // So far apart in time that only the newest latency counts.
    for (const provider of providers) provider.health.observe(n * 1e6, 1 + random())
    if (balancer.pick(bucket, []) === providers[0]) heavy += 1
  }
  expect(heavy / 20_000).toBeCloseTo(0.75, 1)
})

test('one that the cap keeps although it fails is passed over while others are there', () => {
  const { bucket, providers } = bucketOf(1, 1, 1, 1)
  for (const provider of providers.slice(0, 2)) provider.health.failing = true
  const [a, b] = shares(bucket, providers)
  expect((a as number) + (b as number)).toBeLessThan(0.02)
  for (const provider of providers) provider.health.failing = true
  for (const share of shares(bucket, providers)) expect(share).toBeCloseTo(0.25, 1)
})

test('of two equal ones the slower is left alone while the other is idle', () => {
  const { bucket, providers } = bucketOf(1, 1)
  providers[0]?.health.observe(0, 1000)
  providers[1]?.health.observe(0, 5)
  expect(shares(bucket, providers)).toEqual([0, 1])
})

test('calls in flight count: the busy one is left alone', () => {
  const { bucket, providers } = bucketOf(1, 1)
  for (const provider of providers) provider.health.observe(0, 5)
  providers[0]?.health.begin()
  expect(shares(bucket, providers)).toEqual([0, 1])
  providers[0]?.health.end()
  expect(shares(bucket, providers)[0]).toBeCloseTo(0.5, 1)
})

test('one that is left out is never picked, however often it would be drawn', () => {
  const { bucket, providers } = bucketOf(1_000_000, 1, 1)
  const heavy = providers[0] as Provider
  expect(shares(bucket, providers, [heavy])[0]).toBe(0)
  expect(() => twoChoices().pick(bucket, providers)).toThrow(RangeError)
})

test('asked for the instance alone it picks as it does for the provider', () => {
  for (const weights of [[1], [1, 1, 1], [3, 1, 0.5, 8]]) {
    const { bucket, providers } = bucketOf(...weights)
    providers[0]?.health.observe(0, 5)
    const picked = twoChoices(seededRandom(5))
    const alone = twoChoices(seededRandom(5))
    for (let n = 0; n < 100; n += 1) {
      expect(alone.pickInstance?.(bucket)).toBe(picked.pick(bucket, []).instance)
    }
    for (const provider of providers) provider.health.failing = true
    expect(providers.map(({ instance }) => instance)).toContain(alone.pickInstance?.(bucket))
  }
})
