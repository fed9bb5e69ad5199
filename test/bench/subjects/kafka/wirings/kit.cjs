'use strict'
const { kafkaWaybill, runWithMessage } = require('@waybill/adapters/kafkajs')
const { currentWaybill } = require('@waybill/core')
const { adopt, carrierOf } = require('@waybill/core/adapter')
const { productionKit } = require('../../kit/production-kit.cjs')

/**
 * @param {readonly string[]} topics that are believed
 * @returns {import('../send.cjs').Wiring}
 */
const wiringFor = (topics) => {
  const kit = productionKit({ topics })
  return {
    sending: (kafka, topic) => ({
      producer: kafkaWaybill(kit, kafka).producer(),
      carries: topics.includes(topic),
      inRequest: (headers, send) =>
        adopt(kit, {
          kind: 'http',
          carrier: carrierOf(headers),
          inbound: 'peer',
          peer: { remoteAddress: '127.0.0.1' },
          method: 'POST',
          url: '/orders',
        }).run(send),
    }),
    receiving: (topic) => (message) =>
      runWithMessage(kit, { topic, message }, () => currentWaybill().shardKey),
  }
}

module.exports = { ...wiringFor(['orders']), wiringFor }
