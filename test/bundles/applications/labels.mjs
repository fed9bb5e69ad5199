import { parentPort } from 'node:worker_threads'
import { waybillWorker } from '@waybill/adapters/workers'
import { currentWaybill } from '@waybill/core'

parentPort.on(
  'message',
  waybillWorker((what) => parentPort.postMessage(`${what} for ${currentWaybill().clk}`)),
)
