import { adopt, carrierOf, performCall, type Arrival, type Kit, type Stamp } from '@waybill/core/adapter'
import { deepFreeze } from '../deep-freeze.js'
import { everyTaskLaw } from '../every-task-law.js'
import type { AdapterKind } from '../opening.js'
import type { TaskHalf, TaskHop, TaskOpening } from '../task-record.js'
import { memoryPool, type MemoryPool, type PoolOptions, type Work } from '../task/memory-pool.js'

/** What travels to a prepared worker. */
export interface Envelope {
  /** The whole waybill, as `baggage` writes it. */
  readonly waybill: string
  readonly task: unknown
}

/** Marks what a sound pool has made, by the kit that it was made for. */
const wrappers = new WeakMap<MemoryPool, Kit>()

/**
 * A minimal adapter of {@link MemoryPool} that obeys every law: the base of the doubles, each of which overrides one
 * step and breaks it.
 */
export class SoundPool implements TaskHalf {
  readonly kind: AdapterKind = 'wrapper'
  readonly laws = everyTaskLaw

  async open({ kit, times, lend, work: path, prepared }: TaskOpening): Promise<TaskHop> {
    const { default: work } = (await import(path)) as { readonly default: Work }
    const host = memoryPool(prepared && kit !== undefined ? this.prepare(kit, work) : work)
    let pool = lend(host)
    for (let count = 0; kit !== undefined && count < times; count++) pool = this.wrap(kit, pool, prepared)
    return {
      async run(task, { frozen, answered, transfer } = {}) {
        const options = transfer === undefined ? {} : { transfer }
        try {
          return await pool.run(task, frozen === true ? deepFreeze(options) : options)
        } finally {
          answered?.()
        }
      },
      forge: (waybill, task) => host.run({ waybill, task } satisfies Envelope),
      close: () => undefined,
    }
  }

  wrap(kit: Kit, pool: MemoryPool, prepared: boolean): MemoryPool {
    if (wrappers.get(pool) === kit) return pool
    const wrapper: MemoryPool = {
      run: (task, options) =>
        this.isDisabled(kit) ? pool.run(task, options) : this.run(kit, pool, prepared, task, options),
    }
    wrappers.set(wrapper, kit)
    return wrapper
  }

  isDisabled(kit: Kit): boolean {
    return kit.disabled
  }

  async run(
    kit: Kit,
    pool: MemoryPool,
    prepared: boolean,
    task: unknown,
    options?: PoolOptions,
  ): Promise<unknown> {
    const reply = await performCall(kit, { kind: 'task' }, async (_call, stamp) => ({
      header: () => undefined,
      value: await this.submit(pool, prepared ? this.envelope(task, stamp) : task, options),
      done: Promise.resolve(),
    }))
    return reply.value
  }

  submit(pool: MemoryPool, sent: unknown, options?: PoolOptions): Promise<unknown> {
    return pool.run(sent, options)
  }

  envelope(task: unknown, { set }: Stamp): Envelope {
    return { waybill: set.find(([name]) => name === 'baggage')?.[1] ?? '', task }
  }

  /** What `work` is in a worker that was prepared for the kit. */
  prepare(kit: Kit, work: Work): Work {
    return (sent, where) => {
      if (!isEnvelope(sent)) return work(sent, where)
      return adopt(kit, this.arrival(sent)).run(() => work(sent.task, where))
    }
  }

  arrival({ waybill }: Envelope): Arrival {
    return {
      kind: 'task',
      carrier: carrierOf({ baggage: waybill }),
      inbound: 'peer',
      peer: undefined,
      method: undefined,
      url: undefined,
    }
  }
}

function isEnvelope(sent: unknown): sent is Envelope {
  return typeof sent === 'object' && sent !== null && 'waybill' in sent && 'task' in sent
}
