// The whole kit as one module, to be loaded beside its own bundles.
export * from '@waybill/core'
export * from '@waybill/core/testing'
export { axiosWaybill } from '@waybill/adapters/axios'
export { fetchWaybill } from '@waybill/adapters/fetch'
export { httpWaybill, waybillListener } from '@waybill/adapters/node-http'
