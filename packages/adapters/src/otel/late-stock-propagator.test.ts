import http from 'node:http'
import { W3CBaggagePropagator } from '@opentelemetry/core'
import { createKit, tryCurrentWaybill } from '@waybill/core'
import type { Interceptor } from '@waybill/core/adapter'
import { recordEvents } from '@waybill/core/testing'
import { farServer, namesOfOurs, type FarServer } from '@waybill/conformance/wire'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listen, send } from '../../test/loopback.js'
import { httpClients } from '../../test/otel/http-clients.js'
import { instrument } from '../../test/otel/instrument.js'
import { registerSdk } from '../../test/otel/sdk.js'
import { waybillListener } from '../node-http/index.js'
import { otelWaybill } from './index.js'

// An SDK with the stock propagator that is registered when all listeners have been made: too late to be refused.

const ends: (() => unknown)[] = []
let partner: FarServer
let stranger: FarServer
beforeEach(async () => {
  ;[partner, stranger] = [await farServer(), await farServer()]
  ends.push(
    () => partner.close(),
    () => stranger.close(),
    otelWaybill().undo,
  )
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** An outsider's request: the sender is not believed, and OpenTelemetry takes the baggage all the same. */
const MALLORY = { headers: { baggage: 'clk=mallory', 'x-forwarded-for': '203.0.113.9' } }

describe.each(Object.entries(httpClients))('%s', (_name, { of }) => {
  test('an outsider’s clk counts nowhere in the fleet, and an event tells once what it breaks', async () => {
    const audit = recordEvents(['audit'])
    ends.push(() => audit.stop())
    const heard: { readonly clk: unknown; readonly seen: unknown }[] = []
    const inside = waybillListener(createKit({ service: 'inventory', environment: 'test' }), (req, res) => {
      heard.push({ clk: req.headers['clk'], seen: tryCurrentWaybill()?.clk })
      res.end()
    })
    const port = await listen(http.createServer(inside))
    const route: Interceptor = (next) => (call) =>
      next(call.service === undefined ? call : { ...call, target: { host: '127.0.0.1', port, tls: false } })
    const kit = createKit({
      service: 'order',
      environment: 'test',
      trust: { outbound: [new URL(partner.origin).host] },
      interceptors: [route],
    })
    const handler = async (): Promise<void> => {
      const ask = of(kit)
      await ask('http://inventory/')
      await ask(`${partner.origin}/`)
      await ask(`${stranger.origin}/`)
    }
    const front = await listen(
      http.createServer(
        waybillListener(kit, (_req, res) => {
          handler().then(
            () => res.end('served'),
            (error: unknown) => res.writeHead(500).end(String(error)),
          )
        }),
      ),
    )

    expect((await send(front, MALLORY)).text).toBe('served')
    expect(heard).toEqual([{ clk: undefined, seen: undefined }])
    expect(audit.all).toEqual([])

    ends.push(instrument(), registerSdk(new W3CBaggagePropagator()).end)
    for (let round = 0; round < 2; round++) expect((await send(front, MALLORY)).text).toBe('served')
    expect(heard.slice(1)).toEqual([
      { clk: '', seen: undefined },
      { clk: '', seen: undefined },
    ])
    expect(partner.heard.map(({ lines }) => lines('clk'))).toEqual([[], [''], ['']])
    // What the propagator does to a stranger is not the kit's to undo; the kit itself writes nothing there.
    expect(stranger.heard.map(({ lines }) => lines('clk'))).toEqual([[], [], []])
    expect(namesOfOurs(stranger.heard[0]!)).toEqual([])
    expect(audit.of('audit').map(({ action }) => action)).toEqual(['foreign-propagator'])

    // A believed tag is written as ever.
    await send(front, { headers: { clk: 'alice' } })
    expect(heard.at(-1)).toEqual({ clk: 'alice', seen: 'alice' })
  })
})
