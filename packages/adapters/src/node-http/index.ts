export { waybillListener } from './node-http.js'
export { waybillUpgradeListener } from './upgrade-listener.js'
export type { AdoptOptions } from './adopt-request.js'
export { httpWaybill, type HttpModule } from './client.js'
