/**
 * The load generator, in a process of its own: a closed loop over keep-alive connections, by count. By time instead,
 * slices would differ on a machine whose speed drifts.
 *
 * @typedef {{ do: 'load', port: number, requests: number } | { do: 'ask', port: number, k: number }} Order
 */
import { connect } from 'node:net'
import { requestFacts, USERS } from './request-facts.cjs'

const CONNECTIONS = 32

/** One request in so many asks for the key that its handler sees; the others are answered as the suite wants it. */
const KEY_EVERY = 100

/**
 * @param {string} path
 * @param {number} k
 */
const requestText = (path, k) => {
  const lines = Object.entries(requestFacts(k).headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}\r\n`)
}

const work = Array.from({ length: USERS }, (_, k) => requestText('/', k))
const questions = Array.from({ length: USERS }, (_, k) => requestText('/key', k))

/** A keep-alive connection with at most one request under way. */
class Connection {
  #socket
  #received = ''
  /** @type {((body: string) => void) | undefined} */
  #answered
  /** @type {((error: Error) => void) | undefined} */
  #failed

  /** @param {number} port */
  constructor(port) {
    this.#socket = connect(port, '127.0.0.1')
    this.#socket.setNoDelay(true).setEncoding('latin1')
    this.#socket.on('data', (chunk) => this.#receive(String(chunk)))
    this.#socket.on('error', (error) => this.#fail(error))
    this.#socket.on('close', () => this.#fail(new Error('the subject closed a connection')))
  }

  /**
   * @param {Buffer} request
   * @param {(body: string) => void} answered
   * @param {(error: Error) => void} failed
   */
  send(request, answered, failed) {
    this.#answered = answered
    this.#failed = failed
    this.#socket.write(request)
  }

  /** @param {Error} error */
  #fail(error) {
    this.#failed?.(error)
  }

  /** @param {string} chunk */
  #receive(chunk) {
    const text = this.#received + chunk
    const headEnd = text.indexOf('\r\n\r\n')
    const length = headEnd === -1 ? undefined : /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
    if (headEnd === -1 || text.length < headEnd + 4 + Number(length)) {
      this.#received = text
      return
    }
    this.#received = ''
    if (!text.startsWith('HTTP/1.1 200')) this.#fail(new Error(`answered ${text.slice(0, 200)}`))
    else this.#answered?.(text.slice(headEnd + 4))
  }
}

/** @type {Map<number, Connection[]>} */
const pools = new Map()

/** @param {number} port */
const poolOf = (port) => {
  let pool = pools.get(port)
  if (pool === undefined) {
    pool = Array.from({ length: CONNECTIONS }, () => new Connection(port))
    pools.set(port, pool)
  }
  return pool
}

let next = 0

/**
 * @param {number} port
 * @param {number} requests
 * @returns {Promise<void>}
 */
const load = (port, requests) =>
  new Promise((resolve, reject) => {
    let sent = 0
    let answered = 0
    const sendOn = (/** @type {Connection} */ connection) => {
      if (sent === requests) return
      const k = next++ % USERS
      const isQuestion = sent++ % KEY_EVERY === 0
      const wanted = isQuestion ? JSON.stringify({ key: requestFacts(k).key }) : '{"ok":true}'
      const request = /** @type {Buffer} */ ((isQuestion ? questions : work)[k])
      connection.send(
        request,
        (body) => {
          if (body !== wanted) reject(new Error(`a wrong answer to user ${k}: wanted ${wanted}, got ${body}`))
          else if (++answered === requests) resolve()
          else sendOn(connection)
        },
        reject,
      )
    }
    for (const connection of poolOf(port)) sendOn(connection)
  })

/**
 * @param {number} port
 * @param {number} k
 * @returns {Promise<unknown>}
 */
const ask = (port, k) =>
  new Promise((resolve, reject) => {
    const request = /** @type {Buffer} */ (questions[k])
    poolOf(port)[0]?.send(request, (body) => resolve(JSON.parse(body).key), reject)
  })

process.on('message', (/** @type {Order} */ order) => {
  const done = order.do === 'load' ? load(order.port, order.requests) : ask(order.port, order.k)
  done.then(
    (value) => process.send?.({ value }),
    (error) => process.send?.({ error: String(error.message) }),
  )
})
process.once('disconnect', () => process.exit())
