/**
 * A service with the kit and a NodeSDK, of the line of OpenTelemetry that is installed where this file lies. Calls of the
 * service `inventory` go to INVENTORY, an origin; those of any other host leave the fleet.
 */
'use strict'

const api = require('@opentelemetry/api')
const { CompositePropagator, W3CTraceContextPropagator } = require('@opentelemetry/core')
const { ExpressInstrumentation } = require('@opentelemetry/instrumentation-express')
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http')
const { UndiciInstrumentation } = require('@opentelemetry/instrumentation-undici')
const { NodeSDK } = require('@opentelemetry/sdk-node')
const { otelWaybill } = require('@waybill/adapters/otel')

const { context, ROOT_CONTEXT, trace } = api
// The 3.x line has the API of logs in that of all, the 2.x line in a package of its own.
const { logs } = 'logs' in api ? api : require('@opentelemetry/api-logs')

const ofOurs = (attributes) =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => name.startsWith('waybill.')))

const report = { spans: [], records: [] }
const noWork = { onStart() {}, forceFlush: async () => {}, shutdown: async () => {} }
const keepSpans = {
  ...noWork,
  onEnd: ({ name, kind, attributes }) => report.spans.push({ name, kind, said: ofOurs(attributes) }),
}
const keepRecords = { ...noWork, onEmit: ({ attributes }) => report.records.push(ofOurs(attributes)) }

const otel = otelWaybill()
new NodeSDK({
  textMapPropagator: new CompositePropagator({
    propagators: [new W3CTraceContextPropagator(), otel.propagator],
  }),
  spanProcessors: [otel.spanProcessor, keepSpans],
  logRecordProcessors: [otel.logRecordProcessor, keepRecords],
  metricReaders: [],
  instrumentations: [new HttpInstrumentation(), new ExpressInstrumentation(), new UndiciInstrumentation()],
}).start()

// What is instrumented is loaded when the SDK has started.
const http = require('node:http')
const express = require('express')
const undici = require('undici')
const { expressWaybill } = require('@waybill/adapters/express')
const { fetchWaybill, undiciWaybill } = require('@waybill/adapters/fetch')
const { httpWaybill } = require('@waybill/adapters/node-http')
const { bindWaybill, createKit, currentWaybill, runWithWaybill, tryCurrentWaybill } = require('@waybill/core')

const kit = createKit({
  service: 'order',
  environment: 'test',
  services: { inventory: { hosts: [process.env.INVENTORY] } },
})

const byHttp =
  ({ get }) =>
  (url) =>
    new Promise((resolve, reject) => {
      get(url, (reply) => reply.resume().on('end', resolve)).on('error', reject)
    })
const byFetch = (fetch) => async (url) => (await fetch(url)).text()
const byUndici = (dispatcher) => async (url) => (await undici.request(url, { dispatcher })).body.text()

/** Each client in the hands of the kit, and as it is. */
const CLIENTS = {
  http: [byHttp(httpWaybill(kit, http)), byHttp(http)],
  fetch: [byFetch(fetchWaybill(kit)), byFetch(fetch)],
  undici: [byUndici(new undici.Agent().compose(undiciWaybill(kit))), byUndici(new undici.Agent())],
}

const app = express().use(expressWaybill(kit))

/** Calls the service and a host outside: first by the kit, then past it. Answers with the clk that an event has seen. */
app.post('/call', (req, res, next) => {
  req.resume().on('end', () => {
    const seen = tryCurrentWaybill()?.clk
    logs.getLogger('order').emit({ body: 'called' })
    const [byKit, past] = CLIENTS[req.query.by]
    const urls = [process.env.INVENTORY, req.query.stranger]
    const calls = [byKit, past].flatMap((call) => urls.map((url) => () => call(url)))
    calls
      .reduce((before, call) => before.then(call), Promise.resolve())
      .then(() => res.json({ seen }))
      .catch(next)
  })
})

const clkHere = () => tryCurrentWaybill()?.clk ?? 'none'
const inSpan = (fn) => trace.getTracer('order').startActiveSpan('nested', (span) => (span.end(), fn()))
const inRoot = (fn) => context.with(ROOT_CONTEXT, fn)

app.get('/nestings', (_req, res) => {
  const [a, b] = ['a', 'b'].map((clk) => currentWaybill().with({ clk }))
  const inA = (fn) => runWithWaybill(a, fn)
  const inB = (fn) => runWithWaybill(b, fn)
  res.json({
    'span in A': inA(() => inSpan(clkHere)),
    'A in a span': inSpan(() => inA(clkHere)),
    'B in A': inA(() => inB(clkHere)),
    'root context in A': inA(() => inRoot(clkHere)),
    'B in the root context in A': inA(() => inRoot(() => inB(clkHere))),
    'bound by the kit in A, called in B': inB(inA(() => bindWaybill(clkHere))),
    'bound by OpenTelemetry in A, called in B': inB(inA(() => context.bind(context.active(), clkHere))),
  })
})

/** Of each copy of the API that was loaded. */
const apiVersions = () => {
  const folders = Object.keys(require.cache).flatMap((path) => /^.*@opentelemetry.api[\\/]/.exec(path) ?? [])
  return [...new Set(folders)].map((folder) => require(`${folder}package.json`).version)
}

app.get('/versions', (_req, res) => res.json({ node: process.versions.node, api: apiVersions() }))

app.get('/report', (_req, res) => res.json(report))

const server = app.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`))

// It ends with the test that has started it.
process.on('disconnect', () => process.exit())
