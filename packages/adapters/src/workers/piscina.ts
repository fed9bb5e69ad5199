import { threadSecret } from '@waybill/core/adapter'
import type { Kit } from '@waybill/core/adapter'
import { envelopeKey, seal } from './envelope.js'
import { hostOf, hostView, isView } from './host-view.js'
import { movedOf, withQueueOptions } from './moved.js'
import { PreparedFunctions } from './prepared-functions.js'
import { ScopedListeners, type EventSource } from './scoped-listeners.js'
import { sendTask } from './send-task.js'
import { unpackError } from './task-error.js'

/** What is used of a piscina pool. */
export interface PiscinaPool extends EventSource {
  readonly options: { readonly filename: string | null; readonly name: string }
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the pool's own types of task and result stay what they are
  run(task: any, options?: any): Promise<any>
}

interface RunOptions {
  readonly filename?: string | null
  readonly name?: string | null
  readonly signal?: unknown
  readonly transferList?: readonly unknown[]
}

/**
 * Wraps a piscina pool: a task that is run through the wrapper runs in the submitter's waybill, if the worker's function
 * is one of `waybillWorker`; any other gets the bare task, and an event says so once for each. The pool itself is left
 * as it is. Wrapping a wrapper of the same kit returns it.
 *
 * Whether a function is prepared is asked in one of the pool's threads, once for each file and name; until that is
 * known, tasks wait in order, and so does `close()`. Where the question fails twice, they get its error.
 */
export function piscinaWaybill<Pool extends PiscinaPool>(kit: Kit, pool: Pool): Pool {
  if (kit.disabled || isView(kit, pool)) return pool
  const host = hostOf(pool)
  const tasks = new PoolTasks(kit, host)
  const listeners = new ScopedListeners(kit, host)
  return hostView(kit, host, (name, view) => {
    if (name === 'run') return (task: unknown, options?: RunOptions) => tasks.run(task, options)
    if (CLOSES.has(name)) return (...args: unknown[]) => tasks.close(args)
    return listeners.method(name, view)
  })
}

/** `await using` and `using` close the pool, too. */
const CLOSES: ReadonlySet<string | symbol> = new Set(['close', Symbol.asyncDispose, Symbol.dispose])

class PoolTasks {
  readonly #kit: Kit
  readonly #pool: PiscinaPool
  readonly #key = envelopeKey(threadSecret())
  readonly #functions: PreparedFunctions
  /** Tasks that wait to be handed in. */
  readonly #handing = new Set<Promise<unknown>>()

  constructor(kit: Kit, pool: PiscinaPool) {
    this.#kit = kit
    this.#pool = pool
    this.#functions = new PreparedFunctions(kit, pool)
  }

  run(task: unknown, options: RunOptions | undefined): Promise<unknown> {
    // Mistakes are the pool's to refuse.
    if (this.#kit.disabled || !isWellFormed(options)) return this.#pool.run(task, options)
    const filename: unknown = options?.filename ?? this.#pool.options.filename
    const name: unknown = options?.name ?? this.#pool.options.name
    if (typeof filename !== 'string' || typeof name !== 'string') return this.#pool.run(task, options)
    const prepared = this.#functions.isPrepared(filename, name)
    if (prepared === false) return this.#pool.run(task, options)
    const signal = options?.signal instanceof AbortSignal ? options.signal : undefined
    return sendTask(
      this.#kit,
      signal,
      (baggage) =>
        prepared === true
          ? this.#runSealed(baggage, task, options)
          : this.#runLater(prepared, baggage, task, options),
      throwUnpacked,
    )
  }

  /** What waits for an answer was handed in before the pool was closed. */
  close(args: unknown[]): unknown {
    const pool = this.#pool as unknown as { close(...args: unknown[]): unknown }
    const closed = (): unknown => pool.close(...args)
    return this.#handing.size === 0 ? closed() : Promise.allSettled(this.#handing).then(closed)
  }

  async #runLater(
    prepared: Promise<boolean>,
    baggage: string,
    task: unknown,
    options: RunOptions | undefined,
  ): Promise<unknown> {
    // In an object, so that it is not the task that is waited for.
    const handing = unlessAborted(prepared, options?.signal).then((answer) => ({
      result: this.#runAnswered(answer, baggage, task, options),
    }))
    this.#handing.add(handing)
    try {
      return await (
        await handing
      ).result
    } finally {
      this.#handing.delete(handing)
    }
  }

  #runAnswered(
    answer: boolean | undefined,
    baggage: string,
    task: unknown,
    options: RunOptions | undefined,
  ): Promise<unknown> {
    if (answer === true) return this.#runSealed(baggage, task, options)
    // Who gave up is refused by the pool, in its own words; an emitter would not tell it again.
    const gaveUp = answer === undefined && !(options?.signal instanceof AbortSignal)
    return this.#pool.run(task, gaveUp ? { ...options, signal: AbortSignal.abort(null) } : options)
  }

  #runSealed(baggage: string, task: unknown, options: RunOptions | undefined): Promise<unknown> {
    const moved = movedOf(task)
    if (moved === undefined) {
      return this.#pool.run(withQueueOptions(seal(this.#key, baggage, task), task), options)
    }
    const transferList = [...(options?.transferList ?? []), ...moved.transfer]
    const envelope = withQueueOptions(seal(this.#key, baggage, moved.value), moved.value)
    return this.#pool.run(envelope, { ...options, transferList })
  }
}

function isWellFormed(options: unknown): boolean {
  if (options === undefined || options === null) return true
  if (typeof options !== 'object') return false
  const { transferList } = options as RunOptions
  return transferList === undefined || Array.isArray(transferList)
}

function throwUnpacked(error: unknown): never {
  throw unpackError(error)
}

/** Either kind that a pool takes. */
interface Signal {
  readonly aborted?: boolean
  addEventListener?(event: 'abort', listener: () => void, options: { readonly once: true }): void
  removeEventListener?(event: 'abort', listener: () => void): void
  once?(event: 'abort', listener: () => void): void
  off?(event: 'abort', listener: () => void): void
}

/** Undefined where who submitted has given up meanwhile. */
async function unlessAborted(prepared: Promise<boolean>, given: unknown): Promise<boolean | undefined> {
  const signal = (given ?? {}) as Signal
  if (signal.aborted === true) return undefined
  let giveUp = (): void => {}
  const aborted = new Promise<undefined>((resolve) => {
    giveUp = () => {
      resolve(undefined)
    }
  })
  if (signal.addEventListener === undefined) signal.once?.('abort', giveUp)
  else signal.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([prepared, aborted])
  } finally {
    if (signal.removeEventListener === undefined) signal.off?.('abort', giveUp)
    else signal.removeEventListener('abort', giveUp)
  }
}
