/** The ways in which Node calls a function once, later. */
const LATER: readonly ((done: () => void) => unknown)[] = [
  (done) => setTimeout(done, 20),
  (done) => setImmediate(done),
  (done) => {
    process.nextTick(done)
  },
  (done) => {
    queueMicrotask(done)
  },
  (done) => Promise.resolve().then(done),
  (done) => {
    const timer = setInterval(() => {
      clearInterval(timer)
      done()
    }, 2)
  },
]

/** Looks in each of the ways in which Node calls a function later. */
export function lateCallbacks<T>(look: () => T): Promise<T>[] {
  return LATER.map(
    (start) =>
      new Promise((resolve) => {
        start(() => {
          resolve(look())
        })
      }),
  )
}
