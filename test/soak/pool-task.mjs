/** The module of the pool's worker. */
import { waybillWorker } from '@waybill/adapters/workers'
import { currentWaybill } from '@waybill/core'
import { settledHeap } from './settled-heap.mjs'

export const keyHere = waybillWorker(() => currentWaybill().shardKey)

export { settledHeap as heap }
