'use strict'
const { context, propagation, ROOT_CONTEXT, trace } = require('@opentelemetry/api')
const { propagate, span } = require('../../opentelemetry/propagation.cjs')

propagate()

/** @type {import('@opentelemetry/api').TextMapGetter<Readonly<Record<string, Buffer>>>} */
const buffers = {
  get: (headers, name) => headers[name]?.toString(),
  keys: (headers) => Object.keys(headers),
}

/**
 * What its instrumentation of kafkajs does with each message of a send or a batch, without the span that it makes of it.
 * @type {import('../send.cjs').Wiring}
 */
module.exports = {
  sending(kafka) {
    const producer = kafka.producer()
    return {
      producer: {
        ...producer,
        send(record) {
          const messages = record.messages.map((message) => {
            const headers = { ...message.headers }
            propagation.inject(context.active(), headers)
            return { ...message, headers }
          })
          return producer.send({ ...record, messages })
        },
      },
      carries: true,
      inRequest: (headers, send) =>
        context.with(propagation.extract(trace.setSpan(ROOT_CONTEXT, span), headers), send),
    }
  },
  receiving:
    () =>
    ({ headers }) =>
      context.with(
        propagation.extract(ROOT_CONTEXT, headers, buffers),
        () => propagation.getActiveBaggage()?.getEntry('shard-key')?.value,
      ),
}
