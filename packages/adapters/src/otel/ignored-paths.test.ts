import http from 'node:http'
import { SpanKind } from '@opentelemetry/api'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { createKit, currentWaybill } from '@waybill/core'
import type { Interceptor } from '@waybill/core/adapter'
import { farServer } from '@waybill/conformance/wire'
import { expect, onTestFinished, test } from 'vitest'
import { listen, send } from '../../test/loopback.js'
import { Instrumented } from '../../test/otel/instrumented.js'
import { registerSdk } from '../../test/otel/sdk.js'
import { httpWaybill, waybillListener } from '../node-http/index.js'
import { otelWaybill } from './index.js'

const instrumented = new Instrumented(
  [[new HttpInstrumentation({ ignoreIncomingRequestHook: ({ url }) => url === '/health' })]],
  ['http'],
)

test.each([
  ['/health', 0],
  ['/work', 1],
])(
  'context open-telemetry/opentelemetry-js#3268, #1831 what %s calls is carried, whether or not OpenTelemetry ignores that path',
  async (path, traced) => {
    const otel = otelWaybill()
    const sdk = registerSdk(otel.propagator)
    onTestFinished(sdk.end)
    onTestFinished(otel.undo)
    onTestFinished(instrumented.enable())
    const inventory = await farServer()
    onTestFinished(() => inventory.close())
    const route: Interceptor = (next) => (call) =>
      next({ ...call, target: { host: '127.0.0.1', port: inventory.port, tls: false } })
    const kit = createKit({ service: 'order', environment: 'test', interceptors: [route] })
    const seen: unknown[] = []
    const listener = waybillListener(kit, (_req, res) => {
      seen.push(currentWaybill().clk)
      httpWaybill(kit, http).get('http://inventory/', (answer) => answer.resume().on('end', () => res.end()))
    })
    const port = await listen(http.createServer(listener))
    await send(port, { path, headers: { clk: 'alice' } })
    expect(seen).toEqual(['alice'])
    expect(inventory.heard.map(({ lines }) => lines('clk'))).toEqual([['alice']])
    expect(inventory.heard.map(({ lines }) => lines('baggage'))).toEqual([['clk=alice,waybill-depth=1']])
    // Beside that of the test's own call; where tracing is suppressed there is none.
    const calls = sdk.spans.getFinishedSpans().filter(({ kind }) => kind === SpanKind.CLIENT)
    expect(calls).toHaveLength(1 + traced)
  },
)
