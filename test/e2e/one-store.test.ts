import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const ADAPTERS = fileURLToPath(new URL('../../packages/adapters/', import.meta.url))

/**
 * A process that counts every AsyncLocalStorage made in it, and then does what a service does: two builds of the kit,
 * an inbound adapter, two clients, routing.
 */
const PROCESS = `
const hooks = require('node:async_hooks')
const made = []
hooks.AsyncLocalStorage = class AsyncLocalStorage extends hooks.AsyncLocalStorage {
  constructor(...args) {
    super(...args)
    made.push(new Error().stack)
  }
}
require('node:module').syncBuiltinESMExports()

const { once } = require('node:events')
const { createServer } = require('node:http')
const { createKit, currentWaybill } = require('@waybill/core')
const { axiosWaybill } = require('@waybill/adapters/axios')
const { expressWaybill } = require('@waybill/adapters/express')
const { fetchWaybill } = require('@waybill/adapters/fetch')
const { memoryRegistry, readInstance, route } = require('@waybill/routing')
const axios = require('axios')
const express = require('express')

const main = async () => {
  const app = express()
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  const { instance } = readInstance({ service: 'self', environment: 'test', host: '127.0.0.1', port })
  const registry = memoryRegistry({ instances: [instance] })
  const kit = createKit({ service: 'self', environment: 'test', services: { self: {} }, interceptors: [route({ registry })] })
  const other = await import('@waybill/core')
  other.createKit({ service: 'self', environment: 'test' }).detached(() => other.currentWaybill())()
  const client = axiosWaybill(kit, axios.create())
  const call = fetchWaybill(kit)
  app.use(expressWaybill(kit))
  app.get('/far', (req, res) => res.send(other.currentWaybill().clk))
  app.get('/near', async (req, res) => {
    const { data } = await client.get('http://self/far')
    res.json([currentWaybill().clk, data, await (await call('http://self/far')).text()])
  })
  const answer = await fetch('http://127.0.0.1:' + port + '/near', { headers: { clk: 'alice' } })
  process.stdout.write(JSON.stringify({ answer: await answer.json(), made }))
  process.exit()
}
main()
`

test('express, axios, fetch and routing, in two builds of the kit: one AsyncLocalStorage is made', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', PROCESS], {
    cwd: ADAPTERS,
    env: {},
  })
  const { answer, made } = JSON.parse(stdout) as { answer: unknown; made: readonly string[] }
  expect(answer).toEqual(['alice', 'alice', 'alice'])
  // Neither express nor axios makes one, and Node's own are not made through the module.
  expect(made).toHaveLength(1)
  expect(made[0]).toMatch(/packages[\\/]core[\\/]dist/)
})
