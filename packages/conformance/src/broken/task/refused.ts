import { isWaybillError, type Kit } from '@waybill/core/adapter'
import type { MemoryPool, PoolOptions } from '../../task/memory-pool.js'
import { SoundPool } from '../sound-pool.js'

/** Lets refusals go where nobody hears them. */
export class SwallowsRefusals extends SoundPool {
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
      if (isWaybillError(error)) return undefined
      throw error
    }
  }
}
