'use strict'

const { USERS, requestFacts } = require('../../request-facts.cjs')

/** Keep-alive connections that the requests come on. */
const CONNECTIONS = 32

/**
 * A request as a node:http server has it before anybody looks: headers in lower case, in the order in which they came,
 * and the connection.
 *
 * @typedef {object} Arrived
 * @property {string} key the shard key that must be seen
 * @property {Readonly<Record<string, string>>} headers
 * @property {Connection} socket
 */

class Connection {
  remoteAddress = fromWire('127.0.0.1')
  localAddress = fromWire('127.0.0.1')
  destroyed = false
}

/**
 * The text as node:http makes it: of the bytes of a chunk, one character each.
 * @param {string} text
 */
const fromWire = (text) => Buffer.from(text, 'latin1').toString('latin1')

/**
 * Those of the request of user k, after what a browser and a proxy say.
 * @param {number} k
 */
const headersOf = (k) => {
  /** @type {Record<string, string>} */
  const headers = {}
  headers['host'] = fromWire('inventory.fleet.example:8080')
  headers['connection'] = fromWire('keep-alive')
  headers['user-agent'] = fromWire('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')
  headers['accept'] = fromWire('application/json, text/plain, */*')
  headers['accept-language'] = fromWire('en-US,en;q=0.5')
  headers['accept-encoding'] = fromWire('gzip, compress, deflate, br')
  headers['content-type'] = fromWire('application/json')
  headers['traceparent'] = fromWire('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01')
  for (const [name, value] of Object.entries(requestFacts(k).headers)) headers[name] = fromWire(value)
  return headers
}

/** @returns {readonly Arrived[]} */
const arrivals = () => {
  const sockets = Array.from({ length: CONNECTIONS }, () => new Connection())
  return Array.from({ length: USERS }, (_, k) => {
    const socket = /** @type {Connection} */ (sockets[k % CONNECTIONS])
    return { key: requestFacts(k).key, headers: headersOf(k), socket }
  })
}

module.exports = { arrivals }
