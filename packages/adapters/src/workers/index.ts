export { piscinaWaybill, type PiscinaPool } from './piscina.js'
export { workerWaybill, type WorkerEnd } from './workers.js'
export { waybillWorker } from './waybill-worker.js'
