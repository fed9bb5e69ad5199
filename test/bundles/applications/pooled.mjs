// A service with a pool of worker threads. piscina starts its threads from a file of its own, `worker.js` beside it.
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { Piscina } from 'piscina'
import { waybillListener } from '@waybill/adapters/node-http'
import { piscinaWaybill } from '@waybill/adapters/workers'
import { createKit } from '@waybill/core'

const kit = createKit()
const filename = join(dirname(process.argv[1]), 'task.js')
const pool = piscinaWaybill(kit, new Piscina({ filename, maxThreads: 1 }))

const server = createServer(
  waybillListener(kit, async (req, res) => {
    const answer = await pool.run('label').catch(({ code, message }) => ({ error: code ?? message }))
    res.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  }),
)
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.once('disconnect', () => process.exit())
