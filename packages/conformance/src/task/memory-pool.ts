import { AsyncResource } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'

/** What a worker does with what it is sent. */
export type Work = (sent: unknown, where: 'suite') => unknown

/** A host's own options. */
export interface PoolOptions {
  readonly transfer?: readonly ArrayBuffer[]
}

/** A pool of workers, as far as the doubles wrap one. */
export interface MemoryPool {
  run(task: unknown, options?: PoolOptions): Promise<unknown>
}

/** A host for the doubles: tasks are copied or moved as between threads, and done in no scope of their sender. */
export function memoryPool(work: Work): MemoryPool {
  const elsewhere = new AsyncResource('worker')
  return {
    async run(task, { transfer = [] } = {}) {
      const sent: unknown = structuredClone(task, { transfer: [...transfer] })
      await setImmediate()
      const done = elsewhere.runInAsyncScope(async () => work(sent, 'suite'))
      return structuredClone(await done)
    },
  }
}
