import { parentPort, workerData } from 'node:worker_threads'
import { createKit } from '@waybill/core'
import { waybillWorker, workerWaybill } from '../../src/workers/index.js'
import { see } from './seen.js'

const kit = createKit()
const parent = workerWaybill(kit, parentPort!)
const started = waybillWorker((data: unknown) => ({ data, started: see().clk }))(workerData)
parent.on('message', (message: unknown) => {
  if (message === 'die') throw new Error('dead')
  if (message === 'end') process.exit(0)
  parent.postMessage({ message, started, ...see() })
})
