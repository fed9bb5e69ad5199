import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { Piscina as Pool } from 'piscina'
import { createKit } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import { piscinaWaybill, workerWaybill } from '../../src/workers/index.js'

/** A process that has used workers and has nothing more to do. Any warning is told in its output. */
const [file, bareThread, piscina] = process.argv.slice(2) as [string, string, string]
// A pool finds its own files beside itself, so it cannot be bundled.
const { Piscina } = createRequire(import.meta.url)(piscina) as { Piscina: typeof Pool }
process.on('warning', (warning) => {
  process.stdout.write(warning.name)
})
const kit = createKit({ service: 'order', environment: 'test' })
const pool = piscinaWaybill(kit, new Piscina({ filename: file, maxThreads: 2 }))
const runs = await Promise.all(
  Array.from({ length: 30 }, (_, n) => withWaybill({ clk: `t${String(n)}` }, () => pool.run({ see: 0 }))),
)
const worker = workerWaybill(kit, new Worker(bareThread))
worker.unref()
for (let n = 0; n < 30; n += 1) worker.on('message', () => {}).removeAllListeners('message')
process.stdout.write(String(runs.length))
