import {
  getEnvironmentData,
  isMainThread,
  setEnvironmentData,
  threadId,
  workerData,
} from 'node:worker_threads'

const KEY = '@waybill/worker-start@2'

/** What whoever makes a worker thread leaves for it. */
export interface Start {
  /** In whose waybill it is made; undefined: in nobody's. */
  readonly baggage: string | undefined
  /** Its `threadId`, known as soon as it is made: threads that it makes itself inherit what was left for it. */
  readonly thread: Int32Array
}

/** How long a thread waits for the line after the one that made it, in milliseconds. */
const WAIT_MS = 1_000
const NOT_A_THREAD = -1

/** Makes a worker thread that finds this waybill; its `workerData` stays as the application says it. */
export function startWith<Made>(baggage: string | undefined, make: () => Made): Made {
  const thread = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  let made: number = NOT_A_THREAD
  // This thread may not have looked at its own yet.
  const before = getEnvironmentData(KEY)
  setEnvironmentData(KEY, { baggage, thread } satisfies Start)
  try {
    const worker = make()
    made = (worker as { readonly threadId?: number }).threadId ?? NOT_A_THREAD
    return worker
  } finally {
    setEnvironmentData(KEY, before)
    Atomics.store(thread, 0, made)
    Atomics.notify(thread, 0)
  }
}

let found: { readonly start: Start | undefined } | undefined

/** What was left for this very thread; undefined where it was not made through `workerWaybill(kit, () => …)`. */
export function ownStart(): Start | undefined {
  found ??= { start: isMainThread ? undefined : findStart() }
  return found.start
}

function findStart(): Start | undefined {
  const start = getEnvironmentData(KEY) as unknown as Start | undefined
  if (start === undefined) return undefined
  Atomics.wait(start.thread, 0, 0, WAIT_MS)
  return Atomics.load(start.thread, 0) === threadId ? start : undefined
}

let turnIsOver: boolean | undefined
let taken = false

/** To be called with each function that is prepared. */
export function beginTurn(): void {
  if (turnIsOver !== undefined) return
  turnIsOver = false
  queueMicrotask(() => (turnIsOver = true))
}

/**
 * The waybill of who started the thread, for its `workerData`, once. Of data that is no object nothing tells that it is
 * the thread's own and not an equal message: it counts in the turn in which the first function is prepared, before
 * any message can have come.
 */
export function takeStart(value: unknown): string | undefined {
  if (taken || value !== workerData) return undefined
  const isObject = typeof value === 'object' && value !== null
  if (!isObject && turnIsOver !== false) return undefined
  taken = true
  return ownStart()?.baggage
}
