import type { Kit } from '@waybill/core/adapter'
import type { MemoryPool, PoolOptions } from '../../task/memory-pool.js'
import { SoundPool } from '../sound-pool.js'

/** Sends envelopes to every worker. */
export class WrapsForEverybody extends SoundPool {
  override run(
    kit: Kit,
    pool: MemoryPool,
    _prepared: boolean,
    task: unknown,
    options?: PoolOptions,
  ): Promise<unknown> {
    return super.run(kit, pool, true, task, options)
  }
}
