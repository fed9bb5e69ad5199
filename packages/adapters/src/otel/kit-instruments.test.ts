import { readFileSync } from 'node:fs'
import http from 'node:http'
import { metrics, type MeterProvider as ApiMeterProvider } from '@opentelemetry/api'
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import { createKit } from '@waybill/core'
import { threadCounters } from '@waybill/core/adapter'
import { withWaybill } from '@waybill/core/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listen, send } from '../../test/loopback.js'
import { headersTo } from '../../test/outgoing.js'
import { waybillListener } from '../node-http/index.js'
import { otelWaybill, type OtelWaybill } from './index.js'

/** Collects when a test asks. */
class TestReader extends MetricReader {
  protected onShutdown(): Promise<void> {
    return Promise.resolve()
  }
  protected onForceFlush(): Promise<void> {
    return Promise.resolve()
  }
}

interface Point {
  readonly name: string
  readonly unit: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly value: unknown
}

async function collected(reader: MetricReader): Promise<readonly Point[]> {
  const { resourceMetrics, errors } = await reader.collect()
  expect(errors).toEqual([])
  return resourceMetrics.scopeMetrics.flatMap((scope) =>
    scope.metrics.flatMap(({ descriptor: { name, unit }, dataPoints }) =>
      dataPoints.map(({ attributes, value }) => ({ name, unit, attributes, value })),
    ),
  )
}

/** What an instrument says, by its attributes; undefined where there is none. */
async function valueOf(
  reader: MetricReader,
  name: string,
  attributes: Readonly<Record<string, unknown>> = {},
): Promise<unknown> {
  const points = await collected(reader)
  return points.find(
    (point) => point.name === name && JSON.stringify(point.attributes) === JSON.stringify(attributes),
  )?.value
}

const ends: (() => unknown)[] = []
let otel: OtelWaybill
beforeEach(() => {
  otel = otelWaybill()
  ends.push(otel.undo)
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Registers a provider for the process. */
function register(): MetricReader {
  const reader = new TestReader()
  const provider = new MeterProvider({ readers: [reader] })
  metrics.setGlobalMeterProvider(provider)
  ends.push(
    () => metrics.disable(),
    () => provider.shutdown(),
  )
  return reader
}

const kitOf = () => createKit({ service: 'order', environment: 'test' })
const caller = kitOf()
const call = (): Promise<unknown> =>
  withWaybill({ clk: 'alice', shardKey: 'user-42' }, () => headersTo(caller, 'http://inventory/'))

test('every counter of the kit is an instrument, and what it says is what the kits have counted', async () => {
  const reader = register()
  const kit = kitOf()
  const port = await listen(http.createServer(waybillListener(kit, (_req, res) => res.end())))
  await send(port, { headers: { clk: 'alice' } })
  await send(port, { headers: { clk: 'mallory', 'x-forwarded-for': '203.0.113.9' } })
  await call()
  const { dropped, settled, failed, ...plain } = threadCounters()
  const points = await collected(reader)
  expect(points.map(({ name, attributes, value }) => [name, attributes, value]).sort()).toEqual(
    [
      ...Object.entries(plain).map(([name, value]) => [`waybill.${name}`, {}, value]),
      ['waybill.settled', { 'waybill.failed': false }, settled - failed],
      ['waybill.settled', { 'waybill.failed': true }, failed],
      ...Object.entries(dropped).map(([reason, value]) => [
        'waybill.dropped',
        { 'waybill.reason': reason },
        value,
      ]),
    ].sort(),
  )
  expect(plain.adopted).toBeGreaterThanOrEqual(2)
  expect(dropped.UNTRUSTED + dropped.FORWARDED).toBeGreaterThan(0)
})

test('no tag and no key is an attribute', async () => {
  const reader = register()
  await call()
  expect(JSON.stringify(await collected(reader))).not.toMatch(/alice|user-42/)
})

let listening: Promise<number>

test.each([
  ['a kit', () => Promise.resolve(kitOf())],
  ['a call', () => call()],
  [
    'an arrival',
    async () => {
      const port = await listening
      await send(port)
    },
  ],
])('a provider that is registered late is found with the next %s', async (_name, next) => {
  listening = listen(http.createServer(waybillListener(kitOf(), (_req, res) => res.end())))
  await listening
  const reader = register()
  expect(await collected(reader)).toEqual([])
  await next()
  expect(await valueOf(reader, 'waybill.adopted')).toBe(threadCounters().adopted)
})

test('one that takes the place of another counts on, and the other no more', async () => {
  const first = register()
  await call()
  const before = threadCounters().injected
  expect(await valueOf(first, 'waybill.injected')).toBe(before)
  metrics.disable()
  const second = register()
  await call()
  expect(await valueOf(second, 'waybill.injected')).toBe(before + 1)
  expect(await valueOf(first, 'waybill.injected')).toBe(before)
})

test('installed twice it counts once; undo ends it', async () => {
  const again = otelWaybill()
  const reader = register()
  await call()
  otel.undo()
  const before = threadCounters().injected
  expect(await valueOf(reader, 'waybill.injected')).toBe(before)
  again.undo()
  await call()
  expect(threadCounters().injected).toBe(before + 1)
  expect(await valueOf(reader, 'waybill.injected')).toBe(before)
})

test('calls that failed are told apart by an attribute', async () => {
  const reader = register()
  const before = threadCounters()
  const failing = createKit({
    service: 'order',
    environment: 'test',
    interceptors: [() => () => Promise.reject(new Error('reset'))],
  })
  await expect(withWaybill({}, () => headersTo(failing, 'http://inventory/'))).rejects.toThrow('reset')
  expect(await valueOf(reader, 'waybill.settled', { 'waybill.failed': true })).toBe(before.failed + 1)
  expect(await valueOf(reader, 'waybill.settled', { 'waybill.failed': false })).toBe(
    before.settled - before.failed,
  )
})

test('a provider that throws counts nothing, and the call goes out', async () => {
  const getMeter = (): never => {
    throw new Error('broken')
  }
  metrics.setGlobalMeterProvider({ getMeter } satisfies ApiMeterProvider)
  ends.push(() => metrics.disable())
  await expect(call()).resolves.toMatchObject({ clk: 'alice' })
})

test('the page has a row for each instrument', async () => {
  const reader = register()
  await call()
  const seen = (await collected(reader)).map(({ name, unit, attributes }) => [
    `\`${name}\``,
    `\`${unit}\``,
    Object.keys(attributes)
      .map((attribute) => `\`${attribute}\``)
      .join(', '),
  ])
  const page = readFileSync(new URL('../../../../docs/opentelemetry.md', import.meta.url), 'utf8')
  const rows = page
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 6 && cells[1]?.startsWith('`waybill.') === true)
    .map(([, instrument, unit, attribute]) => [instrument, unit, attribute])
  const unique = new Map(seen.map((row) => [row[0], row]))
  expect(rows.sort()).toEqual([...unique.values()].sort())
})
