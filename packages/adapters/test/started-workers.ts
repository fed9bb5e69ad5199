import { fork, type ChildProcess, type ForkOptions } from 'node:child_process'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { bundleWorkers, type BundledWorkers } from './bundle-workers.js'

/** Threads and processes of one test file, each ended with the test that started it. */
export interface StartedWorkers {
  /** The path of a bundled file. */
  path(name: string): string
  thread(name: string, options?: WorkerOptions): Worker
  child(name: string, options?: ForkOptions): ChildProcess
  /** Runs it when the test has ended. */
  afterwards(end: () => unknown): void
}

/** Bundles files of `test/workers` before the tests of this file, by their names. */
export function startedWorkers(...names: readonly string[]): StartedWorkers {
  let bundled: BundledWorkers
  const ends: (() => unknown)[] = []
  beforeAll(async () => {
    bundled = await bundleWorkers(...names)
  })
  afterEach(async () => {
    await Promise.all(ends.splice(0).map((end) => end()))
  })
  afterAll(() => {
    bundled.dispose()
  })
  return {
    path: (name) => bundled.path(name),
    thread(name, options = {}) {
      const worker = new Worker(bundled.path(name), options)
      ends.push(() => worker.terminate())
      return worker
    },
    child(name, options = {}) {
      const forked = fork(bundled.path(name), [], { execArgv: [], ...options })
      ends.push(() => forked.kill())
      return forked
    },
    afterwards: (end) => void ends.push(end),
  }
}
