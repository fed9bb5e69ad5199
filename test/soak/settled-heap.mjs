import { setImmediate as turn } from 'node:timers/promises'
import { getHeapCodeStatistics } from 'node:v8'

/** A collection lets finalizers run in a later turn, and what they let go waits for the next one. */
const ROUNDS = 6

/**
 * Bytes that are retained, in the heap and outside of it, when nothing more can be collected. Needs `--expose-gc`.
 * Without code: how much of it there is V8 decides anew from one moment to the next, by hundreds of kilobytes.
 */
export const settledHeap = async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await turn()
    globalThis.gc?.()
  }
  const { heapUsed, external } = process.memoryUsage()
  const { code_and_metadata_size: machineCode, bytecode_and_metadata_size: bytecode } =
    getHeapCodeStatistics()
  return heapUsed + external - machineCode - bytecode
}
