import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import axios from 'axios'
import express from 'express'
import { bindShardKey, bindWaybill, createKit, currentWaybill, tryCurrentWaybill } from '@waybill/core'
import { farServer } from '@waybill/conformance/wire'
import { expect, onTestFinished, test } from 'vitest'
import { listen, send } from '../../test/loopback.js'
import { axiosWaybill } from '../axios/index.js'
import { expressWaybill } from './index.js'

const kit = createKit({
  service: 'order',
  environment: 'test',
  services: {},
  interceptors: [
    (next) => (call) => next({ ...call, target: { host: '127.0.0.1', port: inventoryPort, tls: false } }),
  ],
})
let inventoryPort = 0

/** Takes one task at a time, and runs it when the one before has ended: the runner's scope is not the task's. */
class Queue {
  #last: Promise<unknown> = Promise.resolve()

  add<T>(task: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(task)
    this.#last = mine.catch(() => undefined)
    return mine
  }
}

test('S2-4 work that a request starts keeps its tag and may call others: timers, callbacks, queues, emitters', async () => {
  const inventory = await farServer()
  onTestFinished(() => inventory.close())
  inventoryPort = inventory.port
  const http = axiosWaybill(kit, axios.create())
  const queue = new Queue()
  const bus = new EventEmitter()
  const work = (way: string) => http.get(`http://inventory/${way}`)

  const app = express()
  app.use(expressWaybill(kit))
  app.get('/', (_req, res) => {
    res.end()
    setTimeout(() => void work('timer'), 5)
    setImmediate(() => void work('immediate'))
    queueMicrotask(() => void work('microtask'))
    void sleep(5).then(() => work('timers-promises'))
    void queue.add(bindWaybill(() => work('queue')))
    bus.once(
      'ready',
      bindWaybill(() => void work('emitter')),
    )
  })
  const port = await listen(createServer(app))
  for (const clk of ['alice', 'bob']) {
    const before = inventory.heard.length
    const heardNow = () => inventory.heard.slice(before)
    await send(port, { headers: { clk } })
    // Somebody outside of any request makes the event happen.
    bus.emit('ready')
    await expect.poll(() => heardNow().length, { timeout: 3000 }).toBe(6)
    expect(
      heardNow()
        .map(({ url }) => url)
        .sort(),
    ).toEqual(['/emitter', '/immediate', '/microtask', '/queue', '/timer', '/timers-promises'].sort())
    for (const heard of heardNow()) expect(heard.lines('clk')).toEqual([clk])
  }
})

test('D2-11 a handler that throws leaves nothing behind for the work after it', async () => {
  const app = express()
  app.use(expressWaybill(kit))
  app.get('/throws', () => {
    throw new Error('thrown on purpose')
  })
  app.get('/next', (_req, res) => {
    res.send(String(currentWaybill().clk))
  })
  app.use(((_error, _req, res, _next) => {
    res.status(500).send('failed')
  }) satisfies express.ErrorRequestHandler)
  const port = await listen(createServer(app))
  const failed = await send(port, { path: '/throws', headers: { clk: 'alice' } })
  expect(failed.status).toBe(500)
  expect(tryCurrentWaybill()).toBeUndefined()
  expect((await send(port, { path: '/next' })).text).toBe('undefined')
})

test('context fastify/help#571 a key that is bound after an await, before the handler, is read in it', async () => {
  const app = express()
  app.use(expressWaybill(kit))
  app.get(
    '/',
    async (_req, _res, next) => {
      await sleep(1)
      bindShardKey('u1')
      next()
    },
    (_req, res) => {
      res.send(currentWaybill().shardKey)
    },
  )
  expect((await send(await listen(createServer(app)))).text).toBe('u1')
})
