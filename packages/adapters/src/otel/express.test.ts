import { createServer } from 'node:http'
import { SpanKind } from '@opentelemetry/api'
import { createKit, tryCurrentWaybill } from '@waybill/core'
import { afterEach, describe, expect, test } from 'vitest'
import { listen, send } from '../../test/loopback.js'
import { nestedRouters } from '../../test/nested-routers.js'
import { express, instrumentExpress, standaloneRouter } from '../../test/otel/instrument-express.js'
import { instrument } from '../../test/otel/instrument.js'
import { startOtelSdk } from '../../test/otel/otel-sdk.js'
import { expressWaybill } from '../express/index.js'
import { waybillListener } from '../node-http/index.js'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

const kit = createKit({ service: 'order', environment: 'test' })
const clkHere = (): string => tryCurrentWaybill()?.clk ?? 'none'
const JSON_OF_ME = { clk: 'me', 'content-type': 'application/json' }

describe.each(['instrumented before the application was made', 'instrumented behind it'])('%s', (order) => {
  test('context open-telemetry/opentelemetry-js-contrib#3527 one waybill in middleware, nested stand-alone Router and handler', async () => {
    const sdk = startOtelSdk(ends)
    if (order.includes('before')) ends.push(instrumentExpress())
    const { app, seen } = nestedRouters(express, standaloneRouter, expressWaybill(kit))
    if (order.includes('behind')) ends.push(instrumentExpress())
    const port = await listen(createServer(app))
    const sending = { method: 'POST', path: '/outer/inner/item', headers: JSON_OF_ME }
    expect((await send(port, sending, '{"a":1}')).text).toBe('1')
    expect(seen).toHaveLength(4)
    expect(seen[0]).toMatchObject({ clk: 'me' })
    const spansWith = (attribute: string): unknown[] =>
      sdk.spans.getFinishedSpans().filter(({ attributes }) => attribute in attributes)
    // What express mounts is instrumented where that is done before; a router's layers are wherever they run.
    expect(spansWith('express.type').length > 0).toBe(order.includes('before'))
    expect(spansWith('router.type')).not.toHaveLength(0)
    await expect
      .poll(() => sdk.spans.getFinishedSpans().filter(({ kind }) => kind === SpanKind.SERVER))
      .toMatchObject([{ attributes: { 'waybill.clk': 'me' } }])
  })

  test('listeners of a request and of its reply have the waybill of the request', async () => {
    startOtelSdk(ends)
    if (order.includes('before')) ends.push(instrumentExpress())
    const heard: string[] = []
    const app = express().use(expressWaybill(kit))
    app.post('/', (req, res) => {
      req.on('data', () => heard.push(`data ${clkHere()}`))
      req.on('end', () => {
        heard.push(`end ${clkHere()}`)
        res.once('finish', () => heard.push(`finish ${clkHere()}`))
        res.send(clkHere())
      })
    })
    if (order.includes('behind')) ends.push(instrumentExpress())
    const port = await listen(createServer(app))
    for (const clk of ['me', 'you']) {
      const { text } = await send(port, { method: 'POST', headers: { clk } }, ['a', 'b'])
      expect(text).toBe(clk)
    }
    expect(new Set(heard)).toEqual(
      new Set(['me', 'you'].flatMap((clk) => ['data', 'end', 'finish'].map((event) => `${event} ${clk}`))),
    )
  })
})

test('a listener that waybillListener adopts for has the waybill in its events, too', async () => {
  startOtelSdk(ends)
  ends.push(instrument())
  const handler = waybillListener(kit, (req, res) => {
    req.resume().on('end', () => res.end(clkHere()))
  })
  const port = await listen(createServer(handler))
  expect((await send(port, { method: 'POST', headers: { clk: 'me' } }, 'body')).text).toBe('me')
})
