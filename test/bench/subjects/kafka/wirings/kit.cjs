'use strict'
const { kafkaWaybill, runWithMessage } = require('@waybill/adapters/kafkajs')
const { currentWaybill } = require('@waybill/core')
const { arrivedRequest } = require('../../kit/arrived-request.cjs')
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
      inRequest: (headers, send) => arrivedRequest(kit, headers).run(send),
    }),
    receiving: (topic) => (message) =>
      runWithMessage(kit, { topic, message }, () => currentWaybill().shardKey),
  }
}

module.exports = { ...wiringFor(['orders']), wiringFor }
