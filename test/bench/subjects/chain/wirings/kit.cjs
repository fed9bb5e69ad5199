'use strict'
const axios = require('axios').default
const { axiosWaybill } = require('@waybill/adapters/axios')
const { expressWaybill } = require('@waybill/adapters/express')
const { fetchWaybill } = require('@waybill/adapters/fetch')
const { waybillListener } = require('@waybill/adapters/node-http')
const { memoryRegistry, readInstance, route } = require('@waybill/routing')
const { productionKit } = require('../../kit/production-kit.cjs')
const { byAxios, byFetch, urlOf } = require('../hop.cjs')

/** @param {number} port */
const registryOf = (port) => {
  const reading = readInstance({
    id: 'inventory-1',
    environment: 'production',
    service: 'inventory',
    host: '127.0.0.1',
    port,
  })
  if ('problems' in reading) throw new Error(JSON.stringify(reading.problems))
  return memoryRegistry({ instances: [reading.instance] })
}

/**
 * Called is the address of B, which is listed as a service's host, and nobody is to be chosen; `routed`: its name
 * alone is called, and `route` looks into a registry.
 * @param {import('../hop.cjs').WiringOptions} options
 * @returns {import('../hop.cjs').Wiring}
 */
const wire = ({ client, port, routed = false, around = 'router' }) => {
  const kit = productionKit({
    services: { inventory: routed ? {} : { hosts: [`127.0.0.1:${port}`] } },
    interceptors: routed ? [route({ registry: registryOf(port) })] : [],
  })
  const url = routed ? 'http://inventory/stock' : urlOf(port)
  return {
    ...(around === 'app'
      ? { listener: (app) => waybillListener(kit, app) }
      : { middleware: expressWaybill(kit) }),
    forwards: true,
    call:
      client === 'axios' ? byAxios(axiosWaybill(kit, axios.create()), url) : byFetch(fetchWaybill(kit), url),
  }
}

module.exports = { wire }
