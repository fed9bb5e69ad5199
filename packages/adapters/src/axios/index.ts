export { axiosWaybill } from './axios.js'
export type { AxiosLike } from './axios-shape.js'
