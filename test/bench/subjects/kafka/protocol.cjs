'use strict'
/**
 * The parts of kafkajs that put messages into bytes and take them out, which it keeps to itself. Read here and nowhere else.
 *
 * @typedef {object} Received a message as kafkajs hands it to a consumer, as far as it is looked at
 * @property {Buffer} key
 * @property {Buffer} value
 * @property {Readonly<Record<string, Buffer>>} headers
 *
 * @typedef {object} Decoder
 * @property {() => number} readInt16
 * @property {() => number} readInt32
 * @property {() => string | null} readString
 * @property {(bytes: number) => Decoder} slice the next bytes; moves nothing
 * @property {Buffer} buffer
 *
 * @typedef {object} Encoder
 * @property {Buffer} buffer
 * @property {(value: number) => Encoder} writeInt16
 * @property {(value: number) => Encoder} writeInt32
 * @property {(value: number | string) => Encoder} writeInt64
 * @property {(value: boolean) => Encoder} writeBoolean
 * @property {(value: string | null) => Encoder} writeString
 * @property {(value: Buffer) => Encoder} writeBuffer
 * @property {(value: readonly unknown[], type?: string) => Encoder} writeArray
 */

/** @param {string} path */
const own = (path) => require(`kafkajs/src/protocol/${path}`)

/** @type {new (bytes: Buffer) => Decoder} */
const Decoder = own('decoder')
/** @type {new () => Encoder} */
const Encoder = own('encoder')
/** @type {(decoder: Decoder) => Promise<{ records: readonly Received[] }>} */
const decodeRecordBatch = own('recordBatch/v0/decoder')
/** @type {(content: object) => object} */
const produce = own('requests/produce/v7/request')
/** @type {(request: { request: object, correlationId: number, clientId: string }) => Promise<Encoder>} */
const encodeRequest = own('request')

/**
 * The bytes of the request that brings messages to partition 0 of a topic.
 * @param {string} topic
 * @param {readonly import('kafkajs').Message[]} messages
 */
const produceRequest = async (topic, messages) => {
  const topicData = [{ topic, partitions: [{ partition: 0, messages }] }]
  const request = produce({ acks: -1, timeout: 30_000, topicData })
  return (await encodeRequest({ request, correlationId: 1, clientId: 'order' })).buffer
}

/** Length, API key, version, correlation id. */
const HEAD_BYTES = 12

/**
 * The record batch in such a request; of one topic and one partition.
 * @param {Buffer} request
 */
const batchIn = (request) => {
  const decoder = new Decoder(request.subarray(HEAD_BYTES))
  decoder.readString() // client id
  decoder.readString() // transaction
  decoder.readInt16() // acks
  decoder.readInt32() // timeout
  decoder.readInt32() // topics
  decoder.readString()
  decoder.readInt32() // partitions
  decoder.readInt32() // number of the partition
  const bytes = decoder.readInt32()
  return decoder.slice(bytes).buffer
}

/**
 * The messages of a record batch, as they are decoded for a consumer.
 * @param {Buffer} batch
 */
const messagesIn = async (batch) => (await decodeRecordBatch(new Decoder(batch))).records

module.exports = { Encoder, batchIn, messagesIn, produceRequest }
