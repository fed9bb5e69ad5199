'use strict'
const { AsyncLocalStorage } = require('node:async_hooks')
const { read, write } = require('../../hand-written/carrier.cjs')

/** @typedef {import('../../hand-written/carrier.cjs').Carried} Carried */

/** @type {AsyncLocalStorage<Carried>} */
const als = new AsyncLocalStorage()

/** @type {import('../send.cjs').Wiring} */
module.exports = {
  sending(kafka) {
    const producer = kafka.producer()
    return {
      producer: {
        ...producer,
        send(record) {
          const carried = als.getStore()
          if (carried === undefined) return producer.send(record)
          const headers = { baggage: Buffer.from(write(carried), 'latin1') }
          const messages = record.messages.map((message) => ({ ...message, headers }))
          return producer.send({ ...record, messages })
        },
      },
      carries: true,
      inRequest: ({ baggage }, send) => als.run(read(baggage), send),
    }
  },
  receiving() {
    let last = Buffer.alloc(0)
    let carried = read(undefined)
    return ({ headers: { baggage } }) => {
      if (baggage !== undefined && !last.equals(baggage)) {
        last = Buffer.from(baggage)
        carried = read(baggage.toString('latin1'))
      }
      return als.run(carried, () => als.getStore()?.key)
    }
  },
}
