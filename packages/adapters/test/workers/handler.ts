import { parentPort } from 'node:worker_threads'
import { waybillWorker } from '../../src/workers/index.js'
import { see } from './seen.js'

parentPort?.on(
  'message',
  waybillWorker((message: unknown) => parentPort?.postMessage({ message, clk: see().clk })),
)
