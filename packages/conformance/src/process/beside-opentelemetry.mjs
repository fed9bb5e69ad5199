// One process with every adapter, beside OpenTelemetry. The same journey is made without `otelWaybill()`, then with it: with
// no SDK, with one that is registered in the middle of the journey, and with one that was there before. Prints what was
// seen on each.
import { once } from 'node:events'
import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { clearInterval } from 'node:timers'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { setEnvironmentData, Worker } from 'node:worker_threads'
import { loadBoth } from './builds.mjs'

const { folder, packages } = JSON.parse(process.argv[2])
const { esm, require } = await loadBoth(folder, packages)
setEnvironmentData('folder of the builds', folder)
const WORKER = fileURLToPath(new URL('./beside-worker.mjs', import.meta.url))

const core = esm['@waybill/core']
const room = (name) => esm[`@waybill/adapters/${name}`]
const [axios, express, { Piscina }, { pino }] = ['axios', 'express', 'piscina', 'pino'].map((host) =>
  require(host),
)

const look = () => {
  const waybill = core.tryCurrentWaybill()
  if (waybill === undefined) return 'none'
  const { clk, shardKey, hopCount, depth } = waybill
  return { clk, shardKey, hopCount, depth }
}

/** Names of ours on the wire, by the documented wire format. */
const OURS = /^(?:clk|x-shard-key|x-hop-count|x-target-unit|baggage|waybill-.*)$/

const listen = async (server) => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

const answer = async (request) => {
  const [response] = await once(request, 'response')
  for await (const _piece of response);
}

/** A broker of one topic in this process, with as much of a `Kafka` as is called here. */
const memoryKafka = () => {
  let deliver
  return {
    producer: () => ({
      send: async ({ topic, messages }) => {
        for (const message of messages)
          await deliver({ topic, partition: 0, message: { offset: '0', ...message } })
      },
    }),
    consumer: () => ({ run: async ({ eachMessage }) => void (deliver = eachMessage) }),
  }
}

/** @param {() => void} midway is called in the second of the two services, before it does anything else */
const journey = async (midway = () => {}) => {
  const seen = {}
  let traced = 0
  const events = ['adopted', 'injected', 'settled', 'refused', 'dropped', 'conflict', 'lost', 'audit']
  const told = []
  const stops = events.map((name) => core.subscribe(name, ({ clk }) => told.push(`${name} ${String(clk)}`)))

  const far = await listen(
    http.createServer(({ url, rawHeaders }, response) => {
      const pairs = rawHeaders.flatMap((name, index) =>
        index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1]]] : [],
      )
      if (pairs.some(([name]) => name === 'traceparent')) traced++
      seen[`wire of ${url}`] = pairs.filter(([name]) => OURS.test(name)).sort()
      response.end('ok')
    }),
  )
  const ports = { far: far.address().port }
  const kit = core.createKit({
    service: 'near',
    environment: 'test',
    clks: [],
    baseline: true,
    disabled: false,
    trust: { inbound: 'peer' },
    interceptors: [
      (next) => (call) => {
        const port = ports[call.service?.name]
        return next(port === undefined ? call : { ...call, target: { host: '127.0.0.1', port, tls: false } })
      },
    ],
  })
  const byAxios = room('axios').axiosWaybill(kit, axios.create())
  const byFetch = room('fetch').fetchWaybill(kit, globalThis.fetch)
  const byHttp = room('node-http').httpWaybill(kit, http)
  const clients = {
    axios: (url) => byAxios.get(url),
    fetch: async (url) => (await byFetch(url)).text(),
    http: (url) => answer(byHttp.get(url)),
  }
  const pool = new Piscina({ filename: WORKER, minThreads: 1, maxThreads: 1 })
  const thread = room('workers').workerWaybill(kit, () => new Worker(WORKER, { workerData: 'thread' }))
  const kafka = room('kafkajs').kafkaWaybill(kit, memoryKafka())
  const lines = []
  const log = pino(
    { mixin: room('pino').pinoWaybill(), base: null, timestamp: false },
    { write: (line) => lines.push(line) },
  )

  const work = {
    timer: () => after(1).then(look),
    detached: () =>
      new Promise((resolve) => {
        const timer = room('timers').everyDetached(kit, 1, () => {
          clearInterval(timer)
          resolve(look())
        })
      }),
    pool: async () => [await room('workers').piscinaWaybill(kit, pool).run(), look()],
    thread: () =>
      new Promise((resolve) => {
        thread.on('message', (there) => resolve([there, look()]))
        thread.postMessage('look')
      }),
    message: async () => {
      const received = new Promise((resolve) => {
        void kafka.consumer({ groupId: 'g' }).run({
          eachMessage: async ({ message }) => resolve([String(message.headers.baggage), look()]),
        })
      })
      await kafka.producer().send({ topic: 'orders', messages: [{ value: '1' }] })
      return [...(await received), look()]
    },
    log: () => {
      log.info('seen')
      return lines.join('')
    },
  }

  const app = express().use(room('express').expressWaybill(kit), async (_request, response) => {
    seen.express = look()
    midway()
    seen['express, midway'] = look()
    for (const [name, ask] of Object.entries(clients)) {
      await ask(`http://far/${name}`)
      await ask(`http://127.0.0.1:${String(ports.far)}/stranger-${name}`)
      seen[`after ${name}`] = look()
    }
    for (const [name, act] of Object.entries(work)) seen[name] = await act()
    seen['express, at the end'] = look()
    response.end('ok')
  })
  const middle = await listen(http.createServer(room('express').expressServerOptions(app), app))
  ports.middle = middle.address().port
  const front = await listen(
    http.createServer(
      room('node-http').waybillListener(kit, async (_request, response) => {
        seen.listener = look()
        const { status } = await byAxios.get('http://middle/', { validateStatus: null })
        seen['listener, behind its call'] = look()
        response.writeHead(status).end()
      }),
    ),
  )
  const headers = { clk: 'alice', 'x-shard-key': '42', 'x-hop-count': '1' }
  await answer(http.get({ host: '127.0.0.1', port: front.address().port, headers, agent: false }))
  seen.outside = look()
  seen.counters = JSON.parse(JSON.stringify(kit.counters))
  seen.events = told.sort()

  for (const stop of stops) stop()
  await Promise.all([pool.destroy(), thread.terminate()])
  for (const server of [front, middle, far]) {
    server.close()
    server.closeAllConnections()
  }
  return { seen, traced }
}

const journeys = { bare: await journey() }
const otel = room('otel').otelWaybill()

/** An SDK with the instrumentations that one has by default for what is used here. */
const registerSdk = () => {
  const [sdk, { CompositePropagator, W3CTraceContextPropagator }, ...instrumentations] = [
    'sdk-trace-node',
    'core',
    'instrumentation-http',
    'instrumentation-undici',
  ].map((name) => require(`@opentelemetry/${name}`))
  const provider = new sdk.NodeTracerProvider({ spanProcessors: [otel.spanProcessor] })
  const propagators = [new W3CTraceContextPropagator(), otel.propagator]
  provider.register({ propagator: new CompositePropagator({ propagators }) })
  for (const { HttpInstrumentation, UndiciInstrumentation } of instrumentations) {
    new (HttpInstrumentation ?? UndiciInstrumentation)().setTracerProvider(provider)
  }
  // A builtin is patched when it is required next; ES modules see that when their exports are synchronised.
  require('http')
  syncBuiltinESMExports()
}

journeys.never = await journey()
journeys.late = await journey(registerSdk)
journeys.before = await journey()
process.stdout.write(JSON.stringify(journeys))
// Keep-alive connections of clients would hold the process for some seconds.
process.exitCode = 0
setTimeout(() => process.exit(), 0)
