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
      const first = drawExcept(bucket, leftOut, random)
      if (bucket.size - leftOut.length < 2) return first
      // Of unlike weights the second may be the first again: if it had to differ, the lighter one of two would be in
      // every draw and get half of the calls.
      const second = bucket.even
        ? drawExcept(bucket, leftOut, random, first)
        : drawExcept(bucket, leftOut, random)
      return second.health.load.cost(now) < first.health.load.cost(now) ? second : first
    },
  }
}
