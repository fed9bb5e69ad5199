'use strict'
const { waybillWorker } = require('@waybill/adapters/workers')
const { currentWaybill } = require('@waybill/core')

module.exports = waybillWorker(() => currentWaybill().shardKey)
