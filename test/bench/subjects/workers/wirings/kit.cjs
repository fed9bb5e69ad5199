'use strict'
const { piscinaWaybill } = require('@waybill/adapters/workers')
const { arrivedRequest } = require('../../kit/arrived-request.cjs')
const { productionKit } = require('../../kit/production-kit.cjs')

const kit = productionKit({})

/** @type {import('../submit.cjs').Wiring} */
module.exports = {
  submitter(pool) {
    const wrapped = piscinaWaybill(kit, pool)
    return (task) => wrapped.run(task)
  },
  request(headers) {
    const arrived = arrivedRequest(kit, headers)
    return (fn) => arrived.run(fn)
  },
}
