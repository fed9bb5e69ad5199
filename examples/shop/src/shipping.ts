/** A service that stands in no registry and knows nothing of Waybill; `order` reaches it by its baseline address. */
import { createServer } from 'node:http'
import { listening } from './listening.js'

const server = createServer((req, res) => {
  res.setHeader('content-type', 'application/json')
  res.end(JSON.stringify({ days: 2, path: req.url }))
})

server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1')
await listening('shipping', server)
