import { setImmediate as turn } from 'node:timers/promises'

/** A collection lets finalizers run in a later turn, and what they let go waits for the next one. */
const ROUNDS = 6

/** Bytes that are retained, in the heap and outside of it, when nothing more can be collected. Needs `--expose-gc`. */
export const settledHeap = async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await turn()
    globalThis.gc?.()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
