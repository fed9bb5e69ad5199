/**
 * The soaked process: `node --expose-gc server-process.mjs [leak]`. It has two servers for one application, one made
 * by express and one with the server helper, calls a stock service of its own, consumes messages, and gives tasks to a
 * worker. It uses the packages as they are built.
 *
 * @typedef {{ consume: number } | 'sample'} Order consume so many messages, or tell how it is
 *
 * @typedef {{ ports: readonly number[] }} Opened the first message
 * @typedef {{ problem?: string }} Consumed the answer to `consume`
 * @typedef {object} Sample the answer to `sample`
 * @property {number} bytes what is retained after forced collections, by the process and by its worker
 * @property {readonly string[]} warnings of the process, so far
 * @property {Readonly<Record<string, number>>} seen what the application was made to do, so far
 */
import { createServer } from 'node:http'
import { expressServerOptions } from '@waybill/adapters/express'
import { soakedApplication } from './application.mjs'
import { settledHeap } from './settled-heap.mjs'
import { listening, openStock } from './stock-service.mjs'

/** @type {string[]} */
const warnings = []
process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`))

const stock = await openStock()
const leak = /** @type {import('./soaked-server.js').Leak | undefined} */ (process.argv[2])
const { app, work, seen, consume, heapOfWorker } = await soakedApplication(stock, leak)
const servers = [createServer(app), createServer(expressServerOptions(app), app)]
/** @type {Opened} */
const opened = { ports: await Promise.all(servers.map(listening)) }
process.send?.(opened)

/** @returns {Promise<Sample>} */
const sample = async () => {
  await work.done()
  return { bytes: (await settledHeap()) + (await heapOfWorker()), warnings, seen }
}

/**
 * @param {Order} order
 * @returns {Promise<Sample | Consumed>}
 */
const obey = async (order) => {
  if (order === 'sample') return sample()
  try {
    await consume(order.consume)
    return {}
  } catch (error) {
    return { problem: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

process.on('message', (/** @type {Order} */ order) => {
  void obey(order).then((answer) => process.send?.(answer))
})
process.once('disconnect', () => process.exit())
