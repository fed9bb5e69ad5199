import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { currentWaybill } from '@waybill/core'

/** A pool of one worker, whose heap is sampled with that of the process. */
export const openPool = () => {
  const pool = new Piscina({
    filename: fileURLToPath(new URL('pool-task.mjs', import.meta.url)),
    minThreads: 1,
    maxThreads: 1,
  })
  return {
    /** @returns {Promise<string | undefined>} the key under which the worker ran */
    task: () => pool.run({ key: currentWaybill().shardKey }, { name: 'keyOf' }),
    /** @returns {Promise<number>} bytes */
    heap: () => pool.run(undefined, { name: 'heap' }),
  }
}
