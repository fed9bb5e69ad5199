import { tryCurrentWaybill } from '@waybill/core'
import { waybillWorker } from '../../src/workers/index.js'

process.on(
  'message',
  waybillWorker((message: unknown) => process.send?.({ message, clk: tryCurrentWaybill()?.clk })),
)
