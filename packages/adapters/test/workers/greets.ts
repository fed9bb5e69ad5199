import { createKit } from '@waybill/core'
import { workerWaybill } from '../../src/workers/index.js'
import { see } from './seen.js'

/** Says something as soon as it is prepared, as a worker does that tells it is ready. */
const parent = workerWaybill(createKit({ service: 'job', environment: 'test' }), process)
parent.on('message', (message: unknown) => parent.send?.({ message, ...see() }))
parent.send?.('ready')
