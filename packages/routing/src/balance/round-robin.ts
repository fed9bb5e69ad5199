import type { Bucket } from '../bucket.js'
import { scanFrom } from './balancer.js'
import type { Balancer } from './balancer.js'

/** Each in turn, whatever its weight (but for 0, which is no candidate) and load. For tests and even fleets. */
export function roundRobin(): Balancer {
  const turns = new WeakMap<Bucket, number>()
  return {
    pick(bucket, leftOut) {
      const turn = turns.get(bucket) ?? 0
      turns.set(bucket, turn + 1)
      return scanFrom(turn % bucket.size, bucket, leftOut)
    },
  }
}
