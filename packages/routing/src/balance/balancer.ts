import type { Bucket } from '../bucket.js'
import type { Instance } from '../instance.js'
import type { Provider } from '../provider.js'

/** Which of the instances that may serve a call does. */
export interface Balancer {
  /**
   * @param bucket holds at least one provider that is not left out.
   * @param leftOut few: those that this call has tried.
   */
  pick(bucket: Bucket, leftOut: readonly Provider[]): Provider
  /**
   * The same where nobody is left out and nothing but the instance is wanted: among very many the provider would be one
   * more object that is in no cache. Optional.
   */
  pickInstance?(bucket: Bucket): Instance
}

/** Draws that may hit one that is left out, before the bucket is gone through. */
const MAX_DRAWS = 8

/** One provider by weight that is neither left out nor `other`. */
export function drawExcept(
  bucket: Bucket,
  leftOut: readonly Provider[],
  random: () => number,
  other?: Provider,
): Provider {
  for (let draws = 0; draws < MAX_DRAWS; draws += 1) {
    const provider = bucket.draw(random)
    if (provider !== other && !leftOut.includes(provider)) return provider
  }
  return scanFrom(Math.floor(random() * bucket.size), bucket, leftOut, other)
}

/** The first provider at or after a position, going round, that is neither left out nor `other`. */
export function scanFrom(
  start: number,
  bucket: Bucket,
  leftOut: readonly Provider[],
  other?: Provider,
): Provider {
  for (let step = 0; step < bucket.size; step += 1) {
    const provider = bucket.at((start + step) % bucket.size)
    if (provider !== other && !leftOut.includes(provider)) return provider
  }
  throw new RangeError('every provider of the bucket is left out')
}
