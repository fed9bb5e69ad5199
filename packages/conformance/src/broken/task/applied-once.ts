import type { Kit } from '@waybill/core/adapter'
import type { MemoryPool } from '../../task/memory-pool.js'
import { SoundPool } from '../sound-pool.js'

/** Does not recognise what it has wrapped. */
export class WrapsAgain extends SoundPool {
  override wrap(kit: Kit, pool: MemoryPool, prepared: boolean): MemoryPool {
    return super.wrap(kit, { run: (task, options) => pool.run(task, options) }, prepared)
  }
}
