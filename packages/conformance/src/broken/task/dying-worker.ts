import type { MemoryPool, PoolOptions } from '../../task/memory-pool.js'
import { SoundPool } from '../sound-pool.js'

/** Takes a death for an answer. */
export class OverlooksDeath extends SoundPool {
  override async submit(pool: MemoryPool, sent: unknown, options?: PoolOptions): Promise<unknown> {
    try {
      return await super.submit(pool, sent, options)
    } catch (error) {
      if (error instanceof Error && error.message === 'dead') return undefined
      throw error
    }
  }
}
