'use strict'
const { createServer } = require('node:http')

/**
 * How one variant is put around an express app; each file of `wirings/` exports one.
 * @typedef {object} Wiring
 * @property {import('express').RequestHandler} [middleware]
 * @property {(app: import('express').Express) => import('node:http').RequestListener} [listener] around the app
 * @property {(app: import('express').Express) => import('node:http').ServerOptions} [serverOptions]
 * @property {(req: import('express').Request) => unknown} key which key the handler sees, by the variant's own means
 * @property {(send: Send) => Promise<boolean>} [carryOn] reads clk and key and writes the headers of one call
 *
 * @typedef {object} ServerForm
 * @property {string} wiring name of a file in `wirings/`
 * @property {object} [wiringOptions]
 * @property {number} awaits async calls that the handler waits for
 * @property {boolean} [carriesOn] whether the handler reads the facts and writes them for a call; default: it looks at
 * nothing
 */

/**
 * Stands for a client: takes the headers of a call, and says whether they carry the key of this request.
 * @typedef {(headers: Readonly<Record<string, string>>) => Promise<boolean>} Send
 */

const step = async () => {}

/**
 * @param {number} awaits
 * @returns {import('express').RequestHandler}
 */
const lookingAtNothing = (awaits) =>
  awaits === 0
    ? (_req, res) => {
        res.json({ ok: true })
      }
    : async (_req, res) => {
        for (let count = 0; count < awaits; count++) await step()
        res.json({ ok: true })
      }

/**
 * @param {NonNullable<Wiring['carryOn']>} carryOn
 * @param {number} awaits
 * @returns {import('express').RequestHandler}
 */
const carryingOn = (carryOn, awaits) => async (req, res) => {
  for (let count = 0; count < awaits; count++) await step()
  const member = `shard-key=${req.headers['x-shard-key']},`
  const ok = await carryOn(async ({ baggage }) => baggage !== undefined && baggage.includes(member))
  res.json({ ok })
}

/**
 * An express app behind one wiring: `/` is the measured work, `/key` tells the key that its handler sees.
 * @param {ServerForm} form
 */
const makeServer = ({ wiring, wiringOptions = {}, awaits, carriesOn = false }) => {
  // Before express: an instrumentation patches what is loaded after it.
  /** @type {Wiring} */
  const { middleware, listener, serverOptions, key, carryOn } = require(`./wirings/${wiring}.cjs`).wire(
    wiringOptions,
  )
  /** @type {typeof import('express')} */
  const express = require('express')
  const app = express()
  if (middleware !== undefined) app.use(middleware)
  if (carriesOn && carryOn === undefined) throw new Error(`the wiring ${wiring} carries nothing on`)
  app.get('/', carriesOn && carryOn !== undefined ? carryingOn(carryOn, awaits) : lookingAtNothing(awaits))
  app.get('/key', (req, res) => {
    res.json({ key: key(req) })
  })
  const options = serverOptions?.(app) ?? {}
  return { server: createServer(options, listener?.(app) ?? app), options }
}

module.exports = { makeServer }
