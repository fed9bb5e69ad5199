export { expressWaybill, type ExpressWaybillOptions, type WaybillMiddleware } from './express.js'
