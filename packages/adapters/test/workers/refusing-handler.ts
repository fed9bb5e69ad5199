import { parentPort } from 'node:worker_threads'
import { bindShardKey } from '@waybill/core'
import { waybillWorker } from '../../src/workers/index.js'

parentPort?.on(
  'message',
  waybillWorker(() => bindShardKey('another')),
)
