// A service whose worker is a module beside it, by the address that bundlers look for.
import { createServer } from 'node:http'
// Without node: before it, since webpack does not know that name.
import { Worker } from 'worker_threads'
import { waybillListener } from '@waybill/adapters/node-http'
import { workerWaybill } from '@waybill/adapters/workers'
import { createKit } from '@waybill/core'

const kit = createKit()

const label = () =>
  new Promise((resolve, reject) => {
    const worker = workerWaybill(kit, () => new Worker(new URL('./labels.mjs', import.meta.url)))
    worker.once('error', reject)
    worker.once('message', (text) => {
      void worker.terminate()
      resolve(text)
    })
    worker.postMessage('label')
  })

const server = createServer(
  waybillListener(kit, async (req, res) => {
    const answer = await label().catch(({ code, message }) => ({ error: code ?? message }))
    res.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  }),
)
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.once('disconnect', () => process.exit())
