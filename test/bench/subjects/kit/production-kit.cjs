'use strict'
const { createKit } = require('@waybill/core')

/**
 * A kit as it runs in production: whom it believes is said, and nobody subscribes to its events.
 * @param {object} how
 * @param {boolean} [how.tagged] whether a clk counts; in production it does by option only. Default false.
 * @param {readonly string[]} [how.topics] whose messages are believed. Default all.
 * @param {import('@waybill/core').KitOptions['services']} [how.services]
 * @param {import('@waybill/core').KitOptions['interceptors']} [how.interceptors]
 */
const productionKit = ({ tagged = false, topics, services = { inventory: {} }, interceptors = [] }) =>
  createKit({
    service: 'order',
    environment: 'production',
    devRouting: tagged,
    trust: { inbound: 'peer', peers: ['127.0.0.0/8'], ...(topics && { topics }) },
    services,
    interceptors,
  })

module.exports = { productionKit }
