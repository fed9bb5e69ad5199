import { expect, test } from 'vitest'
import { Bucket } from '../bucket.js'
import { ciInstance } from '../fixtures/instance-of.js'
import { Provider } from '../provider.js'
import { roundRobin } from './round-robin.js'

test('each in turn, and past one that is left out', () => {
  const bucket = new Bucket()
  const providers = [0, 1, 2].map((n) => new Provider(ciInstance(n)))
  for (const provider of providers) bucket.add(provider)
  const balancer = roundRobin()
  const pick = (leftOut: readonly Provider[] = []): string => balancer.pick(bucket, leftOut).instance.id
  expect([pick(), pick(), pick(), pick()]).toEqual(['ci0', 'ci1', 'ci2', 'ci0'])
  expect(pick(providers.slice(1, 2))).toBe('ci2')
})
