import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Application } from './installed-application.js'

/** Calls of every client, one after the other, each to a path of its name. */
const CALLS = `
const ended = (request) => new Promise((resolve, reject) => {
  request.on('response', (response) => response.resume().on('end', resolve)).on('error', reject).end()
})
const clients = {
  request: (url) => ended(http.request(url, { headers: ['x-mine', '1', 'host', 'far'] })),
  get: (url) => ended(get(url, { headers: { baggage: 'mine=1' } })),
  fetch: async (url) => (await fetch(url, { headers: [['x-mine', '1']] })).text(),
  'undici.fetch': async (url) => (await undici.fetch(url)).text(),
  'undici.request': async (url) => (await undici.request(url)).body.text(),
}
const callAll = async () => {
  for (const [name, call] of Object.entries(clients)) await call(process.env.FAR + '/' + name)
}
`

const LISTEN = `
http.createServer((req, res) => {
  callAll().then(() => res.end('ok'), (error) => res.writeHead(500).end(String(error.stack)))
}).listen(process.env.PORT, '127.0.0.1')
`

const ESM = `
import http, { get } from 'node:http'
import * as undici from 'undici'
`

const CJS = `
const http = require('node:http')
const { get } = http
const undici = require('undici')
`

/** The kit is in the code, too: around the server, and around each client. */
const EXPLICIT = `
const { createKit } = require('@waybill/core')
const { httpWaybill, waybillListener } = require('@waybill/adapters/node-http')
const { fetchWaybill, undiciWaybill } = require('@waybill/adapters/fetch')
const http = require('node:http')
const { Agent, request } = require('undici')
const kit = createKit({ services: { far: { hosts: [new URL(process.env.FAR).host] } } })
const client = httpWaybill(kit, http)
const wrapped = fetchWaybill(kit)
const dispatcher = new Agent().compose(undiciWaybill(kit))
const callAll = async () => {
  await new Promise((resolve) => client.get(process.env.FAR + '/get', (response) => response.resume().on('end', resolve)))
  await (await wrapped(process.env.FAR + '/fetch')).text()
  await (await request(process.env.FAR + '/undici', { dispatcher })).body.text()
}
const listener = waybillListener(kit, async (req, res) => {
  await callAll()
  const { adopted, injected } = kit.counters
  res.end(JSON.stringify({ adopted, injected }))
})
http.createServer(listener).listen(process.env.PORT, '127.0.0.1')
`

/** Auto-instrumentation of http and undici, with the propagator that an SDK has by itself or with that of the kit. */
const OPENTELEMETRY = `
const { registerInstrumentations } = require('@opentelemetry/instrumentation')
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http')
const { UndiciInstrumentation } = require('@opentelemetry/instrumentation-undici')
const { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } = require('@opentelemetry/core')
const { NodeTracerProvider } = require('@opentelemetry/sdk-trace-node')
const ofBaggage = process.env.PROPAGATOR === 'of the kit'
  ? require('@waybill/adapters/otel').otelWaybill().propagator
  : new W3CBaggagePropagator()
const propagators = [new W3CTraceContextPropagator(), ofBaggage]
new NodeTracerProvider().register({ propagator: new CompositePropagator({ propagators }) })
registerInstrumentations({ instrumentations: [new HttpInstrumentation(), new UndiciInstrumentation()] })
require('node:http')
`

/** A worker thread and a forked process, each of which makes one call of its own. */
const OTHERS = `
import { fork } from 'node:child_process'
import http from 'node:http'
import { fileURLToPath } from 'node:url'
import { Worker, isMainThread, workerData } from 'node:worker_threads'
const call = async (name) => (await fetch(process.env.FAR + '/' + name)).text()
if (!isMainThread) await call('thread')
else if (process.send !== undefined) call('process').then(() => process.disconnect())
else {
  const file = fileURLToPath(import.meta.url)
  http.createServer((req, res) => {
    new Worker(file).on('exit', () => fork(file).on('exit', () => res.end('ok')))
  }).listen(process.env.PORT, '127.0.0.1')
}
`

/** What its entry is, with the files beside it. */
const TEXTS = {
  'an ES module': { 'app.mjs': ESM + CALLS + LISTEN },
  CommonJS: { 'app.cjs': CJS + CALLS + LISTEN },
  'an ES module that loads both formats of the flag by itself': {
    'app.mjs': `import '@waybill/adapters/register'
import { createRequire } from 'node:module'
createRequire(import.meta.url)('@waybill/adapters/register')
${ESM}${CALLS}${LISTEN}`,
  },
  'CommonJS with the kit in its code': { 'app.cjs': EXPLICIT },
  'with OpenTelemetry loaded behind the flag': { 'app.cjs': OPENTELEMETRY + CJS + CALLS + LISTEN },
  'with OpenTelemetry loaded before the kit': {
    'app.cjs': `${OPENTELEMETRY}require('@waybill/adapters/register')\n${CJS}${CALLS}${LISTEN}`,
  },
  'one that starts a thread and a process': { 'app.mjs': OTHERS },
} as const satisfies Record<string, Record<string, string>>

export type SmallApplication = keyof typeof TEXTS

/** An application of a few lines. */
export function smallApplication(name: SmallApplication): Application {
  const texts: Readonly<Record<string, string>> = TEXTS[name]
  return {
    async prepare(folder) {
      for (const [file, text] of Object.entries(texts)) {
        await mkdir(dirname(join(folder, file)), { recursive: true })
        await writeFile(join(folder, file), text)
      }
    },
    command: () => [Object.keys(texts)[0] ?? ''],
    env: (port) => ({ PORT: String(port) }),
  }
}
