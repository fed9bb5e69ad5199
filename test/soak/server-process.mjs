/**
 * The soaked process: `node --expose-gc server-process.mjs [leak]`. It has two servers for one application, one made
 * by express and one with the server helper, and calls a stock service of its own. It uses the packages as they are built.
 *
 * @typedef {{ ports: readonly number[] }} Opened the first message
 * @typedef {object} Sample the answer to each message
 * @property {number} bytes what is retained after forced collections
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
const { app, work, seen } = soakedApplication(stock, process.argv[2])
const servers = [createServer(app), createServer(expressServerOptions(app), app)]
/** @type {Opened} */
const opened = { ports: await Promise.all(servers.map(listening)) }
process.send?.(opened)

const sample = async () => {
  await work.done()
  /** @type {Sample} */
  const sample = { bytes: await settledHeap(), warnings, seen }
  process.send?.(sample)
}

process.on('message', () => void sample())
process.once('disconnect', () => process.exit())
