export { expressWaybill, type ExpressWaybillOptions, type WaybillMiddleware } from './express.js'
export { expressServerOptions, type ExpressServerOptions } from './server-options.js'
export type { ExpressApp } from './express-app.js'
