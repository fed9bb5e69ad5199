import { parentPort, Worker, workerData } from 'node:worker_threads'
import { createKit } from '@waybill/core'
import { waybillWorker, workerWaybill } from '../../src/workers/index.js'
import { see } from './seen.js'

/** Makes a thread of its own before it asks in whose waybill it was started itself. */
if (workerData === 'first') {
  const kit = createKit()
  workerWaybill(kit, () => new Worker(new URL(import.meta.url), { workerData: 'second' })).unref()
  waybillWorker(() => parentPort?.postMessage({ clk: see().clk }))(...([workerData] as unknown as []))
}
