// A service that knows nothing of Waybill, nor of any package.
import http, { createServer } from 'node:http'
import { callAll, callBy } from './clients.mjs'

const clients = callBy({ fetch, http })

const server = createServer(async (req, res) => {
  const stock = await callAll(clients, process.env.STOCK)
  const stranger = await callAll(clients, process.env.STRANGER)
  res.setHeader('content-type', 'application/json').end(JSON.stringify({ stock, stranger }))
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.once('disconnect', () => process.exit())
