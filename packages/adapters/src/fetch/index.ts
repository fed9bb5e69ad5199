export { fetchWaybill, type FetchLike } from './fetch.js'
export { undiciWaybill, type UndiciInterceptor } from './undici.js'
