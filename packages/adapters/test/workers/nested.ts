import { parentPort, Worker, workerData } from 'node:worker_threads'
import { createKit } from '@waybill/core'
import { waybillWorker, workerWaybill } from '../../src/workers/index.js'
import { see } from './seen.js'

/** Never asks in whose waybill it was started, and starts two threads of its own in nobody's. */
if (workerData === 'outer') {
  const kit = createKit()
  const inner = (): Worker => new Worker(new URL(import.meta.url), { workerData: 'inner' })
  for (const worker of [inner(), workerWaybill(kit, inner)]) {
    worker.on('message', (message: unknown) => parentPort?.postMessage(message))
  }
} else {
  waybillWorker(() => parentPort?.postMessage({ clk: see().clk }))(...([workerData] as unknown as []))
}
