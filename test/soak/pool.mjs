import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { piscinaWaybill } from '@waybill/adapters/workers'

/**
 * A pool of one worker, whose heap is sampled with that of the process.
 * @param {import('@waybill/core').Kit} kit
 */
export const openPool = (kit) => {
  const pool = new Piscina({
    filename: fileURLToPath(new URL('pool-task.mjs', import.meta.url)),
    minThreads: 1,
    maxThreads: 1,
  })
  const scoped = piscinaWaybill(kit, pool)
  return {
    /** @returns {Promise<string | undefined>} the key that the worker sees */
    keyInWorker: () => scoped.run(undefined, { name: 'keyHere' }),
    /** @returns {Promise<number>} bytes that the worker retains */
    heapOfWorker: () => pool.run(undefined, { name: 'heap' }),
  }
}
