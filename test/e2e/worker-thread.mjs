import { createKit } from '@waybill/core'
import { fetchWaybill } from '@waybill/adapters/fetch'
import { waybillWorker } from '@waybill/adapters/workers'
import { route } from '@waybill/routing'

// Nothing is said here: facts, services, trust and instances come from the thread that made this one.
const http = fetchWaybill(createKit({ interceptors: [route()] }))

export default waybillWorker(async (url) => (await http(url)).text())
