import { parentPort, workerData } from 'node:worker_threads'
import { createKit } from '@waybill/core'
import { waybillWorker, workerWaybill } from '../../src/workers/index.js'
import { see } from './seen.js'

/** Says what it has done, and ends; it never listens. */
const kit = createKit()
const parent = workerWaybill(kit, parentPort!)
void waybillWorker(async (data: unknown) => {
  await Promise.resolve()
  parent.postMessage({ data, clk: see().clk })
})(workerData)
