'use strict'
const { once } = require('node:events')

/**
 * Makes a subject of a server: listens on loopback, and lets connections wait while other subjects have their turn.
 * @param {import('node:http').Server} server
 * @param {() => void} [alsoClose]
 */
const served = async (server, alsoClose) => {
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    port,
    close() {
      alsoClose?.()
      server.close()
      server.closeAllConnections()
    },
  }
}

module.exports = { served }
