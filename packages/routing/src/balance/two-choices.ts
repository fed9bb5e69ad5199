import type { Bucket } from '../bucket.js'
import type { Provider } from '../provider.js'
import { drawExcept } from './balancer.js'
import type { Balancer } from './balancer.js'

/** Pairs drawn at most, while all of them were failing. */
const MAX_PAIRS = 3

/**
 * Draws two by weight and takes the one with less load (Mitzenmacher: "The Power of Two Choices in Randomized Load
 * Balancing", 2001; the load as in Finagle, see `peak-ewma.ts`). Unlike "the least loaded of all" it needs no look at
 * everybody, and callers that share no state do not all rush to the same instance.
 *
 * @param random in [0, 1); the default is the fastest there is. Hand in a seeded one in tests.
 */
export function twoChoices(random: () => number = Math.random): Balancer {
  return {
    pick(bucket, leftOut) {
      if (bucket.sole !== undefined) return bucket.sole
      if (leftOut.length > 0) return pickExcept(bucket, leftOut, random)
      const index = drawPairs(bucket, random)
      return index === undefined ? bucket.draw(random) : bucket.at(index)
    },
    pickInstance(bucket) {
      if (bucket.soleInstance !== undefined) return bucket.soleInstance
      const index = drawPairs(bucket, random)
      return index === undefined ? bucket.draw(random).instance : bucket.instanceAt(index)
    },
  }
}

/** The cap of ejection keeps failing instances here; they get calls only where draw after draw finds no other. */
function drawPairs(bucket: Bucket, random: () => number): number | undefined {
  for (let pairs = 0; pairs < MAX_PAIRS; pairs += 1) {
    const index = bucket.drawOfTwo(random)
    if (index !== undefined) return index
  }
  return undefined
}

/** The same in a call that has tried some already. */
function pickExcept(bucket: Bucket, leftOut: readonly Provider[], random: () => number): Provider {
  let best = lighterOfTwo(bucket, leftOut, random)
  for (let pairs = 1; best.failing && pairs < MAX_PAIRS; pairs += 1) {
    best = lighterOfTwo(bucket, leftOut, random)
  }
  return best
}

function lighterOfTwo(bucket: Bucket, leftOut: readonly Provider[], random: () => number): Provider {
  const one = drawExcept(bucket, leftOut, random)
  if (bucket.size - leftOut.length < 2) return one
  // Of unlike weights it may be the same again, as in `drawOfTwo`.
  const other = bucket.even ? drawExcept(bucket, leftOut, random, one) : drawExcept(bucket, leftOut, random)
  return other.load < one.load ? other : one
}
