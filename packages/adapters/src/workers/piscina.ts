import { runOutside } from '@waybill/core/adapter'
import type { Kit } from '@waybill/core/adapter'
import { seal } from './envelope.js'
import { hostView, isView } from './host-view.js'
import { movedOf, withQueueOptions } from './moved.js'
import { preparedQuestion, QUESTION_OPTIONS } from './prepared-question.js'
import { ScopedListeners, type EventSource } from './scoped-listeners.js'
import { sendTask } from './send-task.js'
import { unpackError } from './task-error.js'
import { tellUnprepared } from './task-scope.js'

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

/** Files that are remembered, and names of each. */
const REMEMBERED = 1_000

/**
 * Wraps a piscina pool: a task that is run through the wrapper runs in the submitter's waybill, if the worker's function
 * is one of `waybillWorker`; any other gets the bare task, and an event says so once for each. The pool itself is left
 * as it is. Wrapping a wrapper of the same kit returns it.
 *
 * Whether a function is prepared is asked in one of the pool's threads, once for each file and name; until that is
 * known, tasks wait in order.
 */
export function piscinaWaybill<Pool extends PiscinaPool>(kit: Kit, pool: Pool): Pool {
  if (kit.disabled || isView(kit, pool)) return pool
  const tasks = new PoolTasks(kit, pool)
  const listeners = new ScopedListeners(kit, pool)
  return hostView(kit, pool, (name, view) =>
    name === 'run'
      ? (task: unknown, options?: RunOptions) => tasks.run(task, options)
      : listeners.method(name, view),
  )
}

class PoolTasks {
  readonly #kit: Kit
  readonly #pool: PiscinaPool
  /** By name, by file: no text is put together for a task. */
  readonly #prepared = new Map<string, Map<string, boolean | Promise<boolean>>>()

  constructor(kit: Kit, pool: PiscinaPool) {
    this.#kit = kit
    this.#pool = pool
  }

  run(task: unknown, options: RunOptions | undefined): Promise<unknown> {
    const filename = options?.filename ?? this.#pool.options.filename
    // Without a file the pool says what is missing.
    if (this.#kit.disabled || filename === null) return this.#pool.run(task, options)
    const prepared = this.#isPrepared(filename, options?.name ?? this.#pool.options.name)
    if (prepared === false) return this.#pool.run(task, options)
    const signal = options?.signal instanceof AbortSignal ? options.signal : undefined
    return sendTask(
      this.#kit,
      signal,
      (baggage) =>
        prepared === true
          ? this.#runSealed(baggage, task, options)
          : unlessAborted(prepared, signal).then((answer) =>
              answer ? this.#runSealed(baggage, task, options) : this.#pool.run(task, options),
            ),
      throwUnpacked,
    )
  }

  #runSealed(baggage: string, task: unknown, options: RunOptions | undefined): Promise<unknown> {
    const moved = movedOf(task)
    if (moved === undefined) return this.#pool.run(withQueueOptions(seal(baggage, task), task), options)
    const transferList = [...(options?.transferList ?? []), ...moved.transfer]
    const envelope = withQueueOptions(seal(baggage, moved.value), moved.value)
    return this.#pool.run(envelope, { ...options, transferList })
  }

  #isPrepared(filename: string, name: string): boolean | Promise<boolean> {
    let names = this.#prepared.get(filename)
    const known = names?.get(name)
    if (known !== undefined) return known
    if (this.#prepared.size >= REMEMBERED) this.#prepared.clear()
    if (names === undefined || names.size >= REMEMBERED) {
      names = new Map<string, boolean | Promise<boolean>>()
      this.#prepared.set(filename, names)
    }
    return this.#find(filename, name, names)
  }

  #find(filename: string, name: string, names: Map<string, boolean | Promise<boolean>>): Promise<boolean> {
    const asking = this.#ask(filename, name).then(
      (answer) => {
        names.set(name, answer)
        if (!answer) {
          tellUnprepared(
            this.#kit,
            `Export waybillWorker(fn) as ${name} of the pool's file, in the place of the bare function.`,
          )
        }
        return answer
      },
      () => {
        // The pool is full, closed, or its thread died: the tasks will hear it themselves, and the next one asks again.
        names.delete(name)
        tellUnprepared(this.#kit, 'The pool could not be asked whether its function is prepared.')
        return false
      },
    )
    names.set(name, asking)
    return asking
  }

  #ask(filename: string, name: string): Promise<boolean> {
    // In no scope: the thread that it may start, and what it loads, belong to no task.
    return runOutside('worker-event', () =>
      this.#pool.run(preparedQuestion(filename, name), QUESTION_OPTIONS),
    )
  }
}

function throwUnpacked(error: unknown): never {
  throw unpackError(error)
}

/** Who gave up waits no longer: the pool then refuses the task in its own words. */
function unlessAborted(prepared: Promise<boolean>, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal === undefined) return prepared
  if (signal.aborted) return Promise.resolve(false)
  return new Promise((resolve) => {
    const giveUp = (): void => {
      resolve(false)
    }
    signal.addEventListener('abort', giveUp, { once: true })
    void prepared.then((answer) => {
      signal.removeEventListener('abort', giveUp)
      resolve(answer)
    })
  })
}
