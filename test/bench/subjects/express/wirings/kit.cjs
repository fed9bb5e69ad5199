'use strict'
const { currentWaybill } = require('@waybill/core')
const { performCall } = require('@waybill/core/adapter')
const { expressServerOptions, expressWaybill } = require('@waybill/adapters/express')
const { waybillListener } = require('@waybill/adapters/node-http')
const { TAGGED } = require('../../../request-facts.cjs')
const { productionKit } = require('../../kit/production-kit.cjs')

/**
 * @param {object} options
 * @param {'router' | 'app'} [options.around] where the scope is entered: in a middleware (default), or in a listener
 * @param {boolean} [options.shaped] with the server helper
 * @returns {import('../server.cjs').Wiring}
 */
const wire = ({ around = 'router', shaped = false }) => {
  const tagged = process.env[TAGGED] === '1'
  const kit = productionKit({ tagged })
  const url = new URL('http://inventory/stock')
  const done = Promise.resolve()
  return {
    ...(around === 'app'
      ? { listener: (app) => waybillListener(kit, app) }
      : { middleware: expressWaybill(kit) }),
    ...(shaped ? { serverOptions: expressServerOptions } : {}),
    key: () => currentWaybill().shardKey,
    carryOn(send) {
      const { clk, shardKey } = currentWaybill()
      if (shardKey === undefined || clk !== (tagged ? 'alice' : undefined)) return Promise.resolve(false)
      const call = { kind: /** @type {const} */ ('http'), url, method: 'GET', headers: () => undefined }
      const reply = performCall(kit, { ...call, body: 'none', idempotent: true }, (_call, { set }) => {
        /** @type {Record<string, string>} */
        const headers = {}
        for (const [name, text] of set) headers[name] = text
        return send(headers).then((value) => ({ status: 200, header: () => undefined, value, done }))
      })
      return reply.then(({ value }) => value)
    },
  }
}

module.exports = { wire }
