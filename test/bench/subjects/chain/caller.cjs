'use strict'
const { fork } = require('node:child_process')
const { once } = require('node:events')
const { createServer } = require('node:http')
const { join } = require('node:path')
const { served } = require('../served.cjs')

/** B has the core of the load generator: only A is measured. */
const startCallee = async () => {
  const { DRIVER_CORE, pinned } = await import('../../machine.mjs')
  const [execPath, ...execArgv] = pinned(DRIVER_CORE, [process.execPath])
  const child = fork(join(__dirname, 'callee-process.cjs'), { execPath, execArgv })
  const [port] = await once(child, 'message')
  return { child, port: Number(port) }
}

/**
 * @typedef {{ client: import('./hop.cjs').Client, wiring: string, wiringOptions?: object }} CallerForm `wiring`: name
 * of a file in `wirings/`
 *
 * @type {import('../../subject-process.cjs').Subject}
 */
module.exports = {
  async open(/** @type {CallerForm} */ { client, wiring, wiringOptions = {} }) {
    const { child, port: calleePort } = await startCallee()
    // Before express and the client: an instrumentation patches what is loaded after it.
    /** @type {import('./hop.cjs').Wiring} */
    const { middleware, listener, forwards, call } = require(`./wirings/${wiring}.cjs`).wire({
      ...wiringOptions,
      client,
      port: calleePort,
    })
    /** @type {typeof import('express')} */
    const express = require('express')
    const app = express()
    if (middleware !== undefined) app.use(middleware)
    app.get('/', async (req, res) => {
      const key = await call()
      res.json({ ok: key === (forwards ? req.headers['x-shard-key'] : null) })
    })
    app.get('/key', async (req, res) => {
      const key = await call()
      res.json({ key: forwards ? key : req.headers['x-shard-key'] })
    })
    return served(createServer(listener?.(app) ?? app), () => child.disconnect())
  },
}
