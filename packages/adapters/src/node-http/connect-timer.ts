/** A timer that fires this much later than due, in milliseconds, tells that the event loop stood still: at a breakpoint, say. */
const STOOD_STILL_MS = 100

/**
 * Calls `late` once `ms` have passed in which the event loop could have heard of a connection. A process that stood still
 * runs its timers first when it goes on, and hears only then of the connections that were made meanwhile: it gets the
 * full time once more, and any other process the two turns in which the system is asked.
 * @returns stops it.
 */
export function connectTimer(ms: number, late: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined
  let due = performance.now() + ms
  let again = true
  const fired = (): void => {
    const now = performance.now()
    if (again && now - due > STOOD_STILL_MS) {
      again = false
      due = now + ms
      timer = setTimeout(fired, ms)
      return
    }
    immediate = setImmediate(() => {
      immediate = setImmediate(late)
    })
  }
  let timer = setTimeout(fired, ms)
  return () => {
    clearTimeout(timer)
    clearImmediate(immediate)
  }
}
