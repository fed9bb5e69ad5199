import { waybillWorker } from '@waybill/adapters/workers'
import { currentWaybill } from '@waybill/core'

export default waybillWorker((what) => `${what} for ${currentWaybill().clk}`)
