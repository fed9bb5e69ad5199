'use strict'
const { adopt, carrierOf } = require('@waybill/core/adapter')

/**
 * A request that has come in from a peer, as an inbound adapter takes it in.
 * @param {import('@waybill/core').Kit} kit
 * @param {Readonly<Record<string, string>>} headers
 */
const arrivedRequest = (kit, headers) =>
  adopt(kit, {
    kind: 'http',
    carrier: carrierOf(headers),
    inbound: 'peer',
    peer: { remoteAddress: '127.0.0.1' },
    method: 'POST',
    url: '/orders',
  })

module.exports = { arrivedRequest }
