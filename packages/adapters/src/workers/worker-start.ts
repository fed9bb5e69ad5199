import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'

const KEY = '@waybill/worker-start@1'

/** Makes a worker thread that finds this waybill; its `workerData` stays as the application says it. */
export function startWith<Made>(baggage: string | undefined, make: () => Made): Made {
  if (baggage === undefined) return make()
  setEnvironmentData(KEY, baggage)
  try {
    return make()
  } finally {
    setEnvironmentData(KEY, undefined)
  }
}

let taken: { readonly baggage: string | undefined } | undefined

/** In whose waybill this thread was started; undefined where nobody said. */
export function takeStart(): string | undefined {
  if (taken === undefined) {
    const found: unknown = isMainThread ? undefined : getEnvironmentData(KEY)
    taken = { baggage: typeof found === 'string' ? found : undefined }
    // Else the threads that this one makes would inherit it.
    if (!isMainThread) setEnvironmentData(KEY, undefined)
  }
  return taken.baggage
}
