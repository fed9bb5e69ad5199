// What a worker of that journey does, in a pool or as a thread: tells the waybill that it sees. It finds the builds where the
// process that started it does.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { getEnvironmentData, parentPort, workerData } from 'node:worker_threads'

const require = createRequire(join(getEnvironmentData('folder of the builds'), 'from-here.cjs'))
const { createKit, currentWaybill } = require('@waybill/core')
const { waybillWorker, workerWaybill } = require('@waybill/adapters/workers')

const look = () => {
  const { clk, shardKey, hopCount, depth } = currentWaybill()
  return { clk, shardKey, hopCount, depth }
}

if (workerData === 'thread') {
  const parent = workerWaybill(createKit(), parentPort)
  parent.on('message', () => parent.postMessage(look()))
}

export default waybillWorker(look)
