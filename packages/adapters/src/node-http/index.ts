export { waybillListener } from './waybill-listener.js'
export { waybillUpgradeListener } from './waybill-upgrade-listener.js'
export type { AdoptOptions } from './adopt-request.js'
export { httpWaybill, type HttpModule } from './client.js'
