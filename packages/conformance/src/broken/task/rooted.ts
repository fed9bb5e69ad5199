import { tryCurrentWaybill, type Kit } from '@waybill/core/adapter'
import type { MemoryPool, PoolOptions } from '../../task/memory-pool.js'
import { SoundPool } from '../sound-pool.js'

/** Takes the root waybill for nothing to carry. */
export class LeavesTheRootBehind extends SoundPool {
  override run(
    kit: Kit,
    pool: MemoryPool,
    prepared: boolean,
    task: unknown,
    options?: PoolOptions,
  ): Promise<unknown> {
    return tryCurrentWaybill() === undefined
      ? pool.run(task, options)
      : super.run(kit, pool, prepared, task, options)
  }
}
