'use strict'
const { once } = require('node:events')
const { makeServer } = require('./server.cjs')

/** @type {import('../../subject-process.cjs').Subject} */
module.exports = {
  async open(/** @type {import('./server.cjs').ServerForm} */ form) {
    const { server } = makeServer(form)
    // Connections wait while other subjects have their turn.
    server.keepAliveTimeout = 0
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
    return {
      port,
      close() {
        server.close()
        server.closeAllConnections()
      },
    }
  },
}
