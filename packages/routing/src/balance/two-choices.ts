import type { Bucket } from '../bucket.js'
import type { Provider } from '../provider.js'
import { drawExcept } from './balancer.js'
import type { Balancer } from './balancer.js'

/**
 * Draws two by weight and takes the one that costs less (Mitzenmacher: "The Power of Two Choices in Randomized Load
 * Balancing", 2001; the cost as in Finagle, see `peak-ewma.ts`). Unlike "the least loaded of all" it needs no look at
 * everybody, and callers that share no state do not all rush to the same instance.
 *
 * @param random in [0, 1); the default is the fastest there is. Hand in a seeded one in tests.
 */
export function twoChoices(random: () => number = Math.random): Balancer {
  return {
    pick(bucket, leftOut, now) {
      if (bucket.sole !== undefined) return bucket.sole
      let best = cheaperOfTwo(bucket, leftOut, now, random)
      // The cap of ejection keeps failing instances here; they get calls only where draw after draw finds no other.
      for (let pairs = 1; best.failing && pairs < MAX_PAIRS; pairs += 1) {
        const next = cheaperOfTwo(bucket, leftOut, now, random)
        if (!next.failing) best = next
      }
      return best
    },
  }
}

/** Pairs drawn at most, while all of them were failing. */
const MAX_PAIRS = 3

function cheaperOfTwo(
  bucket: Bucket,
  leftOut: readonly Provider[],
  now: number,
  random: () => number,
): Provider {
  const first = drawExcept(bucket, leftOut, random)
  if (bucket.size - leftOut.length < 2) return first
  // Of unlike weights the second may be the first again: if it had to differ, the lighter one of two would be in
  // every draw and get half of the calls.
  const second = bucket.even
    ? drawExcept(bucket, leftOut, random, first)
    : drawExcept(bucket, leftOut, random)
  if (first.failing !== second.failing) return first.failing ? second : first
  return second.cost(now) < first.cost(now) ? second : first
}
