module.exports = {
  ...require('@waybill/core'),
  ...require('@waybill/core/testing'),
  ...require('@waybill/adapters/axios'),
  ...require('@waybill/adapters/fetch'),
  ...require('@waybill/adapters/node-http'),
}
