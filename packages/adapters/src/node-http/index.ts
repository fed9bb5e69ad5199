export { waybillListener } from './waybill-listener.js'
