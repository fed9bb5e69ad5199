'use strict'
const { EventEmitter } = require('node:events')
const { Kafka, logLevel } = require('kafkajs')
const { Encoder } = require('./protocol.cjs')

/** @typedef {import('./protocol.cjs').Encoder} Encoder */

/** The requests that a producer makes, each in the one version that is spoken here: its API key and the version. */
const SPOKEN = /** @type {const} */ ({ produce: [0, 7], metadata: [3, 1], apiVersions: [18, 0] })

const NODE_ID = 1
const NO_ERROR = 0

/** @param {string} topic */
const metadataOf = (topic) => {
  const broker = new Encoder().writeInt32(NODE_ID).writeString('memory').writeInt32(9092).writeString(null)
  const only = new Encoder().writeArray([NODE_ID], 'number')
  const partition = new Encoder().writeInt16(NO_ERROR).writeInt32(0).writeInt32(NODE_ID)
  partition.writeBuffer(only.buffer).writeBuffer(only.buffer)
  const described = new Encoder().writeInt16(NO_ERROR).writeString(topic).writeBoolean(false)
  return new Encoder()
    .writeArray([broker])
    .writeInt32(NODE_ID)
    .writeArray([described.writeArray([partition])])
}

const versions = () => {
  const spoken = Object.values(SPOKEN).map(([key, version]) =>
    new Encoder().writeInt16(key).writeInt16(version).writeInt16(version),
  )
  return new Encoder().writeInt16(NO_ERROR).writeArray(spoken)
}

/** @param {string} topic */
const produced = (topic) => {
  const partition = new Encoder()
    .writeInt32(0)
    .writeInt16(NO_ERROR)
    .writeInt64(0)
    .writeInt64(-1)
    .writeInt64(0)
  const described = new Encoder().writeString(topic).writeArray([partition])
  return new Encoder().writeArray([described]).writeInt32(0)
}

/**
 * kafkajs and a broker in its socket. It takes sockets from a factory of its user's, and that is the last thing before the
 * kernel: all that a producer does, down to the bytes of each request, is done as it is before a real broker; only the
 * kernel and the broker are not measured. The broker has one topic with one partition and takes in whatever comes.
 */
class MemoryBroker {
  kafka = new Kafka({
    brokers: ['memory:9092'],
    clientId: 'order',
    logLevel: logLevel.ERROR,
    socketFactory: ({ onConnect }) => this.#socket(onConnect),
  })
  /** The bytes of the last request that brought messages. @type {Buffer} */
  lastProduced = Buffer.alloc(0)
  /** @type {ReadonlyMap<number, Buffer>} by API key */
  #answers

  /** @param {string} topic */
  constructor(topic) {
    this.#answers = new Map([
      [SPOKEN.apiVersions[0], versions().buffer],
      [SPOKEN.metadata[0], metadataOf(topic).buffer],
      [SPOKEN.produce[0], produced(topic).buffer],
    ])
  }

  /** @param {() => void} onConnect */
  #socket(onConnect) {
    const socket = Object.assign(new EventEmitter(), {
      /** @param {Buffer} request */
      write: (request) => {
        setImmediate(() => socket.emit('data', this.#answer(request)))
        return true
      },
      end() {},
      unref() {},
    })
    setImmediate(onConnect)
    return /** @type {import('node:net').Socket} */ (/** @type {unknown} */ (socket))
  }

  /** @param {Buffer} request */
  #answer(request) {
    const key = request.readInt16BE(4)
    const correlation = request.readInt32BE(8)
    const answer = this.#answers.get(key)
    if (answer === undefined) throw new Error(`the memory broker does not speak the API of key ${key}`)
    if (key === SPOKEN.produce[0]) this.lastProduced = request
    const head = new Encoder().writeInt32(4 + answer.length).writeInt32(correlation)
    return head.writeBuffer(answer).buffer
  }
}

module.exports = { MemoryBroker }
