import type { MemoryPool, PoolOptions } from '../../task/memory-pool.js'
import { SoundPool } from '../sound-pool.js'

/** Tells that a worker's task has failed, and keeps to itself why. */
export class HidesTheError extends SoundPool {
  override async submit(pool: MemoryPool, sent: unknown, options?: PoolOptions): Promise<unknown> {
    try {
      return await super.submit(pool, sent, options)
    } catch (error) {
      // What cannot be sent never reached a worker.
      if (error instanceof DOMException) throw error
      throw new Error('a task has failed', { cause: error })
    }
  }
}
