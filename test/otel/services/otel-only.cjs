/**
 * A service that runs OpenTelemetry as its documentation shows and has no line of Waybill. What it does with a request is
 * told in the query, so that one program stands for many.
 */
'use strict'

const { NodeSDK } = require('@opentelemetry/sdk-node')
const { NoopSpanProcessor } = require('@opentelemetry/sdk-trace-node')
const { ExpressInstrumentation } = require('@opentelemetry/instrumentation-express')
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http')
const { KafkaJsInstrumentation } = require('@opentelemetry/instrumentation-kafkajs')
const { UndiciInstrumentation } = require('@opentelemetry/instrumentation-undici')

// Its propagators are those that the SDK takes by itself. Without a span processor it would register no tracer.
new NodeSDK({
  spanProcessors: [new NoopSpanProcessor()],
  logRecordProcessors: [],
  metricReaders: [],
  instrumentations: [
    new HttpInstrumentation({ ignoreIncomingRequestHook: ({ url }) => url.startsWith('/ignored') }),
    new ExpressInstrumentation(),
    new UndiciInstrumentation(),
    new KafkaJsInstrumentation(),
  ],
}).start()

// What is instrumented is loaded when the SDK has started.
const http = require('node:http')
const { context, propagation } = require('@opentelemetry/api')
const axios = require('axios')
const express = require('express')
const { Kafka, logLevel } = require('kafkajs')
const undici = require('undici')

const CLIENTS = {
  async axios(url, headers) {
    const { status, data } = await axios.get(url, {
      headers,
      responseType: 'text',
      validateStatus: () => true,
    })
    return { status, text: data }
  },
  async fetch(url, headers) {
    const response = await fetch(url, { headers })
    return { status: response.status, text: await response.text() }
  },
  http: (url, headers) =>
    new Promise((resolve, reject) => {
      const call = http.get(url, { headers }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode, text }))
      })
      call.on('error', reject)
    }),
  async undici(url, headers) {
    const { statusCode, body } = await undici.request(url, { headers })
    return { status: statusCode, text: await body.text() }
  },
}

/** Entries that the service itself puts into OpenTelemetry's baggage. */
const withEntries = (entries, fn) => {
  const baggage = Object.entries(entries).reduce(
    (all, [name, value]) => all.setEntry(name, { value }),
    propagation.getActiveBaggage() ?? propagation.createBaggage(),
  )
  return context.with(propagation.setBaggage(context.active(), baggage), fn)
}

const kafka = new Kafka({ brokers: (process.env.KAFKA_BROKERS ?? '').split(','), logLevel: logLevel.NOTHING })
const producer = kafka.producer()
const produce = async (topic, message) => {
  await producer.connect()
  await producer.send({ topic, messages: [message] })
}

/** What becomes of a message: `to` is the URL that is called, or the topic of the next one. */
const handOn = async ({ value, headers }, { to, headers: kept }) => {
  if (to.startsWith('http:')) await CLIENTS.fetch(to, {})
  else await produce(to, kept === 'kept' ? { value, headers } : { value })
}

const HANDLERS = {
  eachMessage: (plan) => ({ eachMessage: ({ message }) => handOn(message, plan) }),
  eachBatch: (plan) => ({
    eachBatch: async ({ batch }) => {
      for (const message of batch.messages) await handOn(message, plan)
    },
  }),
}

const app = express()

app.get(['/relay', '/ignored'], async ({ query }, res) => {
  const { by, to, entries = '{}', header } = query
  const headers = header === undefined ? {} : { baggage: header }
  const { status, text } = await withEntries(JSON.parse(entries), () => CLIENTS[by](to, headers))
  res.status(status).type('json').send(text)
})

app.get('/produce', async ({ query }, res) => {
  await produce(query.to, { value: 'made here' })
  res.end()
})

app.get('/consume', async ({ query }, res) => {
  const consumer = kafka.consumer({ groupId: query.from, maxWaitTimeInMs: 100 })
  await consumer.connect()
  await consumer.subscribe({ topic: query.from, fromBeginning: true })
  await consumer.run(HANDLERS[query.by](query))
  res.end()
})

const server = app.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`))

// It ends with the test that has started it.
process.on('disconnect', () => process.exit())
