'use strict'

/** Messages in one Produce request, and in one batch that is consumed. */
const MESSAGES = 1000
const VALUE_BYTES = 120

/**
 * The messages of one send. They name a partition, so that choosing one, which costs the same with a waybill and without,
 * does not dilute what encoding them costs.
 * @param {string} key
 */
const messagesFor = (key) =>
  Array.from({ length: MESSAGES }, (_, at) => ({
    key,
    value: Buffer.alloc(VALUE_BYTES, `order ${at} `),
    partition: 0,
  }))

module.exports = { MESSAGES, messagesFor }
