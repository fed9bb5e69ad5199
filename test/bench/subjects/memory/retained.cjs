'use strict'

/** Garbage that one collection frees may hold more, by way of weak references and finalizers. */
const COLLECTIONS = 3

const heapUsed = () => {
  if (globalThis.gc === undefined) throw new Error('start this subject with --expose-gc')
  for (let turn = 0; turn < COLLECTIONS; turn += 1) void globalThis.gc()
  return process.memoryUsage().heapUsed
}

/**
 * A subject whose measure is bytes: what the heap holds more after so many objects were made, and nothing else that
 * is not garbage.
 *
 * @param {(count: number) => { readonly kept: unknown, check(): void, release?(): void }} make
 */
const retained = (make) => ({
  /** @param {number} count */
  async slice(count) {
    const before = heapUsed()
    const made = make(count)
    // What ends with this turn of the loop is no longer held.
    await new Promise((resolve) => setImmediate(resolve))
    const bytes = heapUsed() - before
    made.check()
    made.release?.()
    return bytes
  },
})

module.exports = { retained }
