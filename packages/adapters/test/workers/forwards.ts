import { parentPort } from 'node:worker_threads'
import { waybillWorker } from '../../src/workers/index.js'

/** Sends the task on by the bare port, and throws it. */
export default waybillWorker((task: unknown) => {
  parentPort?.postMessage(task)
  throw new RangeError('refused', { cause: task })
})
