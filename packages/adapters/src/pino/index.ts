export { pinoWaybill, type WaybillMixin } from './pino.js'
