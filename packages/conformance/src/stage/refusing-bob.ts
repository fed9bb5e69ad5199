import { WaybillError, type Interceptor } from '@waybill/core/adapter'

/** Refuses whatever `bob` sends, before it is sent. */
export const refusingBob: Interceptor = (next) => (call) => {
  if (call.waybill.clk === 'bob') throw new WaybillError('ERR_WAYBILL_NO_PROVIDER')
  return next(call)
}
