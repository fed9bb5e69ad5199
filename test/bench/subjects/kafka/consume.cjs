'use strict'
const { USERS, requestFacts } = require('../../request-facts.cjs')
const { MESSAGES, messagesFor } = require('./messages.cjs')
const { batchIn, messagesIn, produceRequest } = require('./protocol.cjs')

const TOPIC = 'orders'
/** Different batches that are consumed in turn. */
const BATCHES = 40

/**
 * What a consumer fetches: batches as kafkajs's own encoder makes them of messages that bear `baggage`.
 * @param {(batch: number, at: number) => number} userOf whose request sent the message
 */
const batchesOf = (userOf) =>
  Promise.all(
    Array.from({ length: BATCHES }, async (_, batch) => {
      const messages = messagesFor('order').map((message, at) => {
        const { key, headers } = requestFacts(userOf(batch, at))
        return { ...message, key, headers: { baggage: headers['baggage'] ?? '' } }
      })
      return batchIn(await produceRequest(TOPIC, messages))
    }),
  )

/** Whose message each is: all of a batch came by one send, or each by another. */
const SENDERS = {
  'one send': (/** @type {number} */ batch) => batch,
  'many sends': (/** @type {number} */ batch, /** @type {number} */ at) => (batch + at) % USERS,
}

/**
 * Decodes batches and handles each message. A unit is a message.
 * @param {{ wiring: string, sentBy: keyof typeof SENDERS }} options
 */
exports.open = async ({ wiring, sentBy }) => {
  const userOf = SENDERS[sentBy]
  const batches = await batchesOf(userOf)
  /** @type {import('./send.cjs').Wiring} */
  const { receiving } = require(`./wirings/${wiring}.cjs`)
  if (receiving === undefined) throw new Error(`the wiring ${wiring} receives nothing`)
  const receive = receiving(TOPIC)
  let turn = 0

  /** @param {number} batch */
  const received = (batch) => messagesIn(/** @type {Buffer} */ (batches[batch]))
  return {
    /** @param {number} units */
    async slice(units) {
      for (let handled = 0; handled < units; handled += MESSAGES) {
        const batch = turn++ % BATCHES
        const records = await received(batch)
        /** @type {string | undefined} */
        let key
        for (const message of records) key = receive(message)
        const wanted = requestFacts(userOf(batch, MESSAGES - 1)).key
        if (key !== undefined && key !== wanted)
          throw new Error(`${wanted}'s message was handled as ${key}'s`)
      }
    },
    /** @param {number} k */
    async ask(k) {
      const [message] = await received(k % BATCHES)
      if (message === undefined) throw new Error('an empty batch')
      return receive(message) ?? message.key.toString()
    },
  }
}
