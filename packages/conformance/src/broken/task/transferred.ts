import type { MemoryPool } from '../../task/memory-pool.js'
import { SoundPool } from '../sound-pool.js'

/** Forgets the host's options where it writes an envelope. */
export class ForgetsOptions extends SoundPool {
  override submit(pool: MemoryPool, sent: unknown): Promise<unknown> {
    return super.submit(pool, sent)
  }
}
