import { createKit } from '@waybill/core'
import { workerWaybill } from '../../src/workers/index.js'
import { see } from './seen.js'

const kit = createKit({ service: 'job', environment: 'test' })
const parent = workerWaybill(kit, process)
parent.on('message', (message: unknown) => {
  if (message === 'die') process.kill(process.pid, 'SIGKILL')
  parent.send?.({ message, ...see() })
})
