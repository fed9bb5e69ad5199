// A service that has put the kit in by hand: the middleware, three wrapped clients, routing, a worker thread. It
// becomes one file with all that it needs.
import { spans } from './tracing.mjs'
import http, { createServer } from 'node:http'
import { setInterval } from 'node:timers'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { context, propagation, trace } from '@opentelemetry/api'
import axios from 'axios'
import express from 'express'
import { axiosWaybill } from '@waybill/adapters/axios'
import { expressServerOptions, expressWaybill } from '@waybill/adapters/express'
import { fetchWaybill } from '@waybill/adapters/fetch'
import { httpWaybill } from '@waybill/adapters/node-http'
import { waybillWorker, workerWaybill } from '@waybill/adapters/workers'
import {
  bindShardKey,
  createKit,
  currentWaybill,
  isWaybillError,
  subscribe,
  tryCurrentWaybill,
} from '@waybill/core'
import { route } from '@waybill/routing'
import { callAll, callBy } from './clients.mjs'

/** At module load there is no request: this is asked here, and answered later. */
const atLoad = (() => {
  try {
    return { tag: currentWaybill().clk }
  } catch (error) {
    return {
      code: error.code,
      name: error.name,
      known: isWaybillError(error),
      asked: tryCurrentWaybill() === undefined,
    }
  }
})()

const kit = createKit({ interceptors: [route()] })
const clients = callBy({
  axios: axiosWaybill(kit, axios.create()),
  fetch: fetchWaybill(kit),
  http: httpWaybill(kit, http),
})

const inWorker = () => {
  parentPort.on(
    'message',
    waybillWorker(async (id) => {
      const { at } = await clients.fetch('http://stock/')
      parentPort.postMessage({ id, tag: currentWaybill().clk, at })
    }),
  )
}

const inMain = () => {
  const told = { adopted: 0, injected: 0, lost: [] }
  subscribe('adopted', () => told.adopted++)
  subscribe('injected', () => told.injected++)
  subscribe('lost', ({ kind, place }) => told.lost.push({ kind, place }))

  const app = express()
  app.use(expressWaybill(kit))
  app.use(express.json())

  app.post('/orders', async (req, res) => {
    const { user } = req.body
    if (user !== undefined) bindShardKey(user)
    res.json({
      tag: currentWaybill().clk,
      stock: await callAll(clients, 'http://stock/'),
      stranger: await callAll(clients, process.env.STRANGER),
    })
  })

  app.get('/traced', (req, res, next) => {
    const baggage = propagation.createBaggage({ team: { value: 'red' } })
    const work = () =>
      trace.getTracer('shop').startActiveSpan('order', async (span) => {
        const tag = tryCurrentWaybill()?.clk
        const stock = await callAll(clients, 'http://stock/')
        span.end()
        res.json({ tag, stock, stranger: await callAll(clients, process.env.STRANGER), spans: spans() })
      })
    context.with(propagation.setBaggage(context.active(), baggage), work).catch(next)
  })

  // Whoever empties it belongs to no request.
  const queue = []
  setInterval(() => {
    for (const task of queue.splice(0)) task()
  }, 5)
  app.get('/forgotten', (req, res, next) => {
    queue.push(async function refreshPrices() {
      await clients.axios('http://stock/').catch(next)
      res.json(told.lost)
    })
  })

  // One worker for all, made by the first request; the file is its own worker.
  let worker
  const waiting = new Map()
  app.get('/labels/:id', (req, res) => {
    if (worker === undefined) {
      worker = workerWaybill(kit, () => new Worker(process.argv[1]))
      worker.on('message', ({ id, ...label }) => {
        waiting.get(id)(label)
        waiting.delete(id)
      })
    }
    waiting.set(req.params.id, (label) => res.json(label))
    worker.postMessage(req.params.id)
  })

  app.get('/told', (req, res) => res.json({ atLoad, told, counters: kit.counters }))

  const server = createServer(expressServerOptions(app), app)
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
  process.once('disconnect', () => process.exit())
}

if (isMainThread) inMain()
else inWorker()
