'use strict'
const { produceRequest } = require('./protocol.cjs')

/**
 * A client whose producer does nothing but encode, by kafkajs's own encoder. What wraps a `Kafka` and its producers cannot
 * tell it from the real one, so whatever it does to messages on their way is done here; and nothing that costs the same
 * with a waybill and without stands beside the encoding (kafkajs groups the messages of a send by copying the list for each).
 */
class EncoderAlone {
  /** The bytes of the last request that brought messages. @type {Buffer} */
  lastProduced = Buffer.alloc(0)
  kafka = /** @type {import('kafkajs').Kafka} */ (
    /** @type {unknown} */ ({
      producer: () => ({
        connect: async () => {},
        disconnect: async () => {},
        /** @param {import('kafkajs').ProducerRecord} record */
        send: async ({ topic, messages }) => {
          this.lastProduced = await produceRequest(topic, messages)
        },
      }),
      consumer: () => {
        throw new Error('nothing is consumed here')
      },
    })
  )
}

module.exports = { EncoderAlone }
