import http from 'node:http'
import { context, ROOT_CONTEXT, SpanKind, trace, type Tracer } from '@opentelemetry/api'
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs'
import { bindShardKey, createKit, waybillFields } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { instrument } from '../../test/otel/instrument.js'
import { listen, send } from '../../test/loopback.js'
import { registerSdk, type Sdk } from '../../test/otel/sdk.js'
import { waybillListener } from '../node-http/index.js'
import { otelWaybill, type OtelWaybill } from './index.js'

const ALICE = { clk: 'alice', shardKey: 'user-42', hopCount: 1 }

/** Asked for anew: a tracer stays with the SDK that was registered first. */
const startSpan: Tracer['startSpan'] = (...args) => trace.getTracer('test').startSpan(...args)

const ends: (() => void)[] = []
let otel: OtelWaybill
let sdk: Sdk
beforeEach(() => {
  otel = otelWaybill()
  sdk = registerSdk(otel.propagator, [otel.spanProcessor])
  ends.push(otel.undo, sdk.end)
})
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

/** What is said of the waybill of a request with these fields. */
const saidOf = (fields: typeof ALICE): Record<string, unknown> =>
  withWaybill(fields, () => ({
    'waybill.clk': fields.clk,
    'waybill.hop_count': fields.hopCount,
    'waybill.shard_hash': waybillFields().shardHash,
  }))

describe('a span', () => {
  const attributesOf = (make: () => void): unknown => {
    make()
    return sdk.spans.getFinishedSpans().at(-1)?.attributes
  }

  test('says whose request it belongs to, and never its shard key', () => {
    const attributes = attributesOf(() => withWaybill(ALICE, () => startSpan('work').end()))
    expect(attributes).toEqual(saidOf(ALICE))
    expect(JSON.stringify(attributes)).not.toContain('user-42')
  })

  test('says nothing outside of any request', () => {
    expect(attributesOf(() => startSpan('work').end())).toEqual({})
  })

  test('belongs to the context that it is made in, wherever that is', () => {
    const held = withWaybill(ALICE, () => context.active())
    const attributes = attributesOf(() =>
      withWaybill({ clk: 'bob' }, () => startSpan('work', {}, held).end()),
    )
    expect(attributes).toEqual(saidOf(ALICE))
  })

  test('that begins a trace within a request belongs to the request', () => {
    const attributes = attributesOf(() =>
      withWaybill(ALICE, () => startSpan('work', { root: true }, ROOT_CONTEXT).end()),
    )
    expect(attributes).toEqual(saidOf(ALICE))
  })

  test('of an untagged request without a key says its hop count alone', () => {
    expect(attributesOf(() => withWaybill({}, () => startSpan('work').end()))).toEqual({
      'waybill.hop_count': 0,
    })
  })

  test('of an arrival says what was believed, and one within it the key that was bound since', async () => {
    ends.push(instrument())
    const kit = createKit({ service: 'order', environment: 'test' })
    const handler = waybillListener(kit, (_req, res) => {
      bindShardKey('user-42')
      startSpan('work').end()
      res.end()
    })
    const port = await listen(http.createServer(handler))
    await send(port, { headers: { clk: 'alice', 'x-hop-count': '1' } })
    await send(port, { headers: { clk: 'mallory', 'x-forwarded-for': '203.0.113.9' } })
    const spans = sdk.spans.getFinishedSpans()
    const said = (wanted: (kind: SpanKind, name: string) => boolean): unknown[] =>
      spans
        .filter(({ kind, name }) => wanted(kind, name))
        .map(({ attributes }) => Object.entries(attributes).filter(([key]) => key.startsWith('waybill.')))
        .map((pairs) => Object.fromEntries(pairs) as unknown)
    expect(said((kind) => kind === SpanKind.SERVER)).toEqual([
      { 'waybill.clk': 'alice', 'waybill.hop_count': 1 },
      { 'waybill.hop_count': 0 },
    ])
    expect(said((_kind, name) => name === 'work')[0]).toEqual(saidOf(ALICE))
  })
})

test('a log record says the same', async () => {
  const exporter = new InMemoryLogRecordExporter()
  const provider = new LoggerProvider({
    processors: [otel.logRecordProcessor, new SimpleLogRecordProcessor({ exporter })],
  })
  const logger = provider.getLogger('test')
  withWaybill(ALICE, () => logger.emit({ body: 'reserved', attributes: { item: 42 } }))
  logger.emit({ body: 'started' })
  expect(exporter.getFinishedLogRecords().map(({ attributes }) => attributes)).toEqual([
    { item: 42, ...saidOf(ALICE) },
    {},
  ])
  await provider.shutdown()
})

test('processors end as an SDK asks them to', async () => {
  for (const each of [otel.spanProcessor, otel.logRecordProcessor]) {
    await expect(Promise.all([each.forceFlush(), each.shutdown()])).resolves.toBeDefined()
  }
})
