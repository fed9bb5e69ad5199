'use strict'
const { USERS, requestFacts } = require('../../request-facts.cjs')
const { read } = require('../hand-written/carrier.cjs')
const { EncoderAlone } = require('./encoder-alone.cjs')
const { MemoryBroker } = require('./memory-broker.cjs')
const { MESSAGES, messagesFor } = require('./messages.cjs')
const { batchIn, messagesIn } = require('./protocol.cjs')

/**
 * How one variant sends and receives; each file of `wirings/` exports one.
 * @typedef {object} Wiring
 * @property {(kafka: import('kafkajs').Kafka, topic: string) => Sending} sending
 * @property {(topic: string) => Receiving} [receiving]
 *
 * @typedef {object} Sending
 * @property {import('kafkajs').Producer} producer
 * @property {boolean} carries whether the messages bear the key of the request
 * @property {(headers: Readonly<Record<string, string>>, send: () => Promise<unknown>) => Promise<unknown>} inRequest
 * runs what a request with these headers makes the service do
 *
 * Handles one message, and returns the key that the handler saw by the variant's own means; undefined where it has none.
 * @typedef {(message: import('./protocol.cjs').Received) => string | undefined} Receiving
 */

const TOPIC = 'orders'

/** The first message is among them. */
const FIRST_BYTES = 1000

const DESTINATIONS = { encoder: EncoderAlone, broker: MemoryBroker }

/** @param {Readonly<Record<string, Buffer>>} headers */
const keyIn = (headers) => headers['baggage'] && read(headers['baggage'].toString('latin1')).key

/**
 * Sends of 1,000 messages, each in a request of another user. A unit is a message.
 * @param {{ wiring: string, to: keyof typeof DESTINATIONS }} options
 */
exports.open = async ({ wiring, to }) => {
  const destination = new DESTINATIONS[to](TOPIC)
  /** @type {Wiring} */
  const wired = require(`./wirings/${wiring}.cjs`)
  const { producer, carries, inRequest } = wired.sending(destination.kafka, TOPIC)
  await producer.connect()
  const record = { topic: TOPIC, messages: messagesFor('order') }
  let user = 0
  return {
    /** @param {number} units */
    async slice(units) {
      for (let sent = 0; sent < units; sent += MESSAGES) {
        const { key, headers } = requestFacts(user++ % USERS)
        await inRequest(headers, () => producer.send(record))
        const bears = destination.lastProduced.subarray(0, FIRST_BYTES).includes(`shard-key=${key}`)
        if (bears !== carries) throw new Error(`the messages of ${key} bear ${bears ? 'its' : 'no'} key`)
      }
    },
    /** @param {number} k */
    async ask(k) {
      const { key, headers } = requestFacts(k)
      await inRequest(headers, () => producer.send({ topic: TOPIC, messages: messagesFor(key) }))
      const messages = await messagesIn(batchIn(destination.lastProduced))
      // A variant that carries nothing answers with the key of the message itself.
      const keys = messages.map(({ key, headers }) => (carries ? keyIn(headers) : key.toString()))
      return `${messages.length} messages of ${[...new Set(keys)].join()}`
    },
    close: () => producer.disconnect(),
  }
}
