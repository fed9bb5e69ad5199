import { createKit, WaybillError } from '@waybill/core'
import type { AdmittedArrival, Interceptor, Kit } from '@waybill/core/adapter'

/** A kit of a process that serves alice alone, and looks at what arrives. */
export function aliceAlone(disabled = false): Kit {
  const pass: Interceptor = (next) => next
  const admit = ({ waybill }: AdmittedArrival): WaybillError | undefined =>
    waybill.clk === 'alice' ? undefined : new WaybillError('ERR_WAYBILL_MISDIRECTED')
  return createKit({
    service: 'inventory',
    environment: 'test',
    clks: 'alice',
    disabled,
    interceptors: [Object.assign(pass, { admit })],
  })
}
