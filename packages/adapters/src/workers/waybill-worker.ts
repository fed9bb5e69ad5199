import { isMainThread } from 'node:worker_threads'
import { createKit } from '@waybill/core'
import { threadKit, threadSecret } from '@waybill/core/adapter'
import { envelopeKey, open, type Opened } from './envelope.js'
import { parentLink } from './links.js'
import { packError } from './task-error.js'
import { runTask } from './task-scope.js'
import { beginTurn, takeStart } from './worker-start.js'

/**
 * Under which a prepared function shows the key that it opens. Symbol.for: the question of {@link preparedQuestion} is
 * answered in a realm without this package.
 */
export const PREPARED = '@waybill/adapters.prepared'

/**
 * Prepares a function of a worker thread or process, for the tasks of a pool or the messages of its parent: each call
 * runs in the waybill of who submitted the task. A task that came without one runs as it is. The parent is told, and
 * from then on sends the waybill along: whoever prepares a function for its messages reads none of them otherwise.
 *
 * It belongs to the thread's kit: the one that `createKit` made there, else one made at the first task of what the
 * parent thread has left and of the environment.
 *
 * @throws WaybillError at the first task: ERR_WAYBILL_CONFIGURATION where there is neither, for the submitter.
 */
export function waybillWorker<This, Args extends unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
): (this: This, ...args: Args) => Result {
  const key = envelopeKey(threadSecret())
  const link = parentLink()
  beginTurn()
  const prepared = function (this: This, ...args: Args): Result {
    const [message, ...rest] = args as unknown[]
    const opened = open(key, message) ?? startOf(message)
    if (opened === undefined) return fn.apply(this, args)
    return withPackedErrors(() =>
      runTask(threadKit(createKit, link?.options), opened, () =>
        fn.apply(this, [opened.value, ...rest] as Args),
      ),
    )
  }
  return Object.defineProperty(prepared, Symbol.for(PREPARED), { value: key })
}

/** The thread's own `workerData` belongs to who started the thread. */
function startOf(value: unknown): Opened | undefined {
  const baggage = takeStart(value)
  return baggage === undefined ? undefined : { value, baggage }
}

function withPackedErrors<Result>(run: () => Result): Result {
  // One of a process crosses to nobody.
  if (isMainThread) return run()
  try {
    const result = run()
    if (!isThenable(result)) return result
    return result.then(undefined, (error: unknown) => {
      throw packError(error)
    }) as Result
  } catch (error) {
    throw packError(error)
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'
}
