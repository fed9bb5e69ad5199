'use strict'
/**
 * B of the chain: a plain node:http server in a process of its own that answers with the key that it was told, or null.
 * It tells its port on the IPC channel and ends with it.
 */
const { createServer } = require('node:http')

const server = createServer((req, res) => {
  const key = /(?:^|,)shard-key=([^,]*)/.exec(String(req.headers['baggage'] ?? ''))?.[1] ?? null
  res.setHeader('content-type', 'application/json')
  res.end(JSON.stringify({ key }))
})
// Connections wait while other subjects have their turn.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => {
  process.send?.(/** @type {import('node:net').AddressInfo} */ (server.address()).port)
})
process.once('disconnect', () => process.exit())
