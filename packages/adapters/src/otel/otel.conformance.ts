import http from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import { context, propagation, trace } from '@opentelemetry/api'
import { createKit, tryCurrentWaybill, type Kit } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { listen, send } from '../../test/loopback.js'
import { headersTo } from '../../test/outgoing.js'
import { startOtelSdk } from '../../test/otel/otel-sdk.js'
import { waybillListener } from '../node-http/index.js'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

const kitOf = (): Kit => createKit({ service: 'order', environment: 'test', trust: { inbound: 'peer' } })
const inSpan = <T>(fn: () => T): T => trace.getTracer('law').startActiveSpan('work', fn)

// It takes nothing in and sends nothing: of the adapter laws it can keep or break those about the scope and about baggage.
describe('otel, store and propagator', () => {
  test('isolated: a hundred interleaved requests never see each other’s waybill', async () => {
    startOtelSdk(ends)
    const seen = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        withWaybill({ clk: `t${String(index)}` }, () =>
          inSpan(async () => {
            for (let turn = 0; turn < 5; turn++) {
              // Neighbours wait differently long, and each differently from turn to turn.
              await after((index * 7 + turn * 3) % 5)
              if (tryCurrentWaybill()?.clk !== `t${String(index)}`) return 'another’s'
            }
            return 'own'
          }),
        ),
      ),
    )
    expect(new Set(seen)).toEqual(new Set(['own']))
    expect(tryCurrentWaybill()).toBeUndefined()
  })

  test('carried: a call bears the same headers with it and without', async () => {
    const kit = kitOf()
    const call = (): Promise<unknown> =>
      withWaybill({ clk: 'alice', shardKey: '42', hopCount: 1 }, () => headersTo(kit, 'http://inventory/'))
    const without = await call()
    startOtelSdk(ends)
    expect(await call()).toEqual(without)
    expect(await inSpan(call)).toEqual(without)
  })

  test('disabled-identity: behind a disabled kit there is no waybill, and foreign baggage goes its way', async () => {
    startOtelSdk(ends)
    const kit = kitOf()
    const seen: unknown[] = []
    const port = await listen(
      http.createServer(
        waybillListener(kit, (_req, res) => {
          seen.push(tryCurrentWaybill()?.clk)
          res.end()
        }),
      ),
    )
    await send(port, { headers: { clk: 'alice' } })
    kit.disable()
    await send(port, { headers: { clk: 'alice' } })
    expect(seen).toEqual(['alice', undefined])
    const carrier = {}
    propagation.inject(
      propagation.setBaggage(context.active(), propagation.createBaggage({ a: { value: '1' } })),
      carrier,
    )
    expect(carrier).toEqual({ baggage: 'a=1' })
  })

  test('hostile-input: whatever stands in baggage, extracting and injecting it throws nothing', () => {
    startOtelSdk(ends)
    const hostile = [
      ',;='.repeat(50_000),
      `${'%63lk=x,'.repeat(20_000)}a=1`,
      `a=${'%'.repeat(100_000)}`,
      '\u0000=\u0000,clk=\r\n',
      '__proto__=x,constructor=y,toString=z',
      'clk',
      '='.repeat(9000),
    ]
    for (const baggage of hostile) {
      const carrier: { baggage?: string } = {}
      propagation.inject(propagation.extract(context.active(), { baggage }), carrier)
      expect((carrier.baggage ?? '').length).toBeLessThanOrEqual(8192)
      expect(carrier.baggage ?? '').not.toMatch(/clk/i)
    }
  })
})
