import { isWaybillError, type Kit } from '@waybill/core/adapter'
import type { MemoryPool, PoolOptions } from '../../task/memory-pool.js'
import { SoundPool } from '../sound-pool.js'

/** Repeats a failed task on its own, outside of the call that the kit knows. */
export class RepeatsInSecret extends SoundPool {
  override async run(
    kit: Kit,
    pool: MemoryPool,
    prepared: boolean,
    task: unknown,
    options?: PoolOptions,
  ): Promise<unknown> {
    try {
      return await super.run(kit, pool, prepared, task, options)
    } catch (error) {
      if (isWaybillError(error)) throw error
      return super.run(kit, pool, prepared, task, options)
    }
  }
}
