'use strict'
const { IncomingMessage, ServerResponse } = require('node:http')
const { Duplex } = require('node:stream')
const { USERS, requestFacts } = require('../../request-facts.cjs')
const { makeServer } = require('./server.cjs')

/** Keep-alive connections, each with at most one request under way. */
const CONNECTIONS = 32

/** A connection that swallows answers; it keeps the last one. */
class Discard extends Duplex {
  remoteAddress = '127.0.0.1'
  remoteFamily = 'IPv4'
  localAddress = '127.0.0.1'
  remotePort = 50_000
  localPort = 80
  answer = ''

  constructor() {
    super({ decodeStrings: false })
  }

  /** @override */
  _read() {}

  /**
   * @override
   * @param {string | Buffer} chunk
   * @param {BufferEncoding} _encoding
   * @param {() => void} done
   */
  _write(chunk, _encoding, done) {
    this.answer += typeof chunk === 'string' ? chunk : chunk.toString('latin1')
    done()
  }

  setTimeout() {
    return this
  }
}

/** The measure without a kernel: requests are emitted on the server as its parser would, and answers are discarded. */
class Emitter {
  #connections = Array.from({ length: CONNECTIONS }, () => new Discard())
  #server
  #Request
  #Response
  #answered = 0
  #next = 0

  /** @param {import('./server.cjs').ServerForm} form */
  constructor(form) {
    const { server, options } = makeServer(form)
    this.#server = server
    for (const connection of this.#connections) Object.assign(connection, { server })
    this.#Request = options.IncomingMessage ?? IncomingMessage
    this.#Response = options.ServerResponse ?? ServerResponse
  }

  /** @param {number} units */
  async slice(units) {
    for (let left = units; left > 0; left -= CONNECTIONS) {
      const count = Math.min(left, CONNECTIONS)
      this.#answered = 0
      for (let index = 0; index < count; index++) this.#request('/', index, this.#next++)
      while (this.#answered < count) await new Promise(setImmediate)
      for (let index = 0; index < count; index++) this.#check(index)
    }
    const k = this.#next++ % USERS
    const key = await this.ask(k)
    if (key !== requestFacts(k).key) throw new Error(`the handler saw the key ${key} of user ${k}`)
  }

  /**
   * The key that the handler of user k sees.
   * @param {number} k
   * @returns {Promise<unknown>}
   */
  async ask(k) {
    this.#answered = 0
    this.#request('/key', 0, k)
    while (this.#answered < 1) await new Promise(setImmediate)
    const { answer } = /** @type {Discard} */ (this.#connections[0])
    return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)).key
  }

  close() {
    this.#server.close()
  }

  /** @param {number} index of a connection */
  #check(index) {
    const { answer } = /** @type {Discard} */ (this.#connections[index])
    if (answer.startsWith('HTTP/1.1 200 ') && answer.endsWith('\r\n\r\n{"ok":true}')) return
    throw new Error(`a wrong answer: ${answer}`)
  }

  /**
   * @param {string} url
   * @param {number} index of a connection
   * @param {number} k
   */
  #request(url, index, k) {
    const connection = /** @type {Discard & import('node:net').Socket} */ (this.#connections[index])
    connection.answer = ''
    const { headers } = requestFacts(k)
    const req = new this.#Request(connection)
    req.method = 'GET'
    req.url = url
    req.httpVersionMajor = 1
    req.httpVersionMinor = 1
    req.httpVersion = '1.1'
    // As the parser makes them: one by one.
    req.rawHeaders = ['host', '127.0.0.1']
    req.headers = { host: '127.0.0.1' }
    for (const name in headers) {
      const value = /** @type {string} */ (headers[name])
      req.rawHeaders.push(name, value)
      req.headers[name] = value
    }
    req.complete = true
    req.push(null)
    const res = new this.#Response(req)
    res.shouldKeepAlive = true
    res.assignSocket(connection)
    res.on('finish', () => {
      res.detachSocket(connection)
      this.#answered++
    })
    this.#server.emit('request', req, res)
  }
}

/** @type {import('../../subject-process.cjs').Subject} */
module.exports = { open: (/** @type {import('./server.cjs').ServerForm} */ form) => new Emitter(form) }
