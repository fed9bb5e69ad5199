import {
  baggageEntryMetadataFromString,
  defaultTextMapGetter,
  defaultTextMapSetter,
  propagation,
  ROOT_CONTEXT,
  type BaggageEntry,
  type Context,
  type TextMapPropagator,
} from '@opentelemetry/api'
import { suppressTracing, W3CBaggagePropagator } from '@opentelemetry/core'
import { createKit } from '@waybill/core'
import { withWaybill } from '@waybill/core/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { otelWaybill, untrustedBaggage, type OtelWaybill } from './index.js'

const stock = new W3CBaggagePropagator()
let otel: OtelWaybill

const extract = (propagator: TextMapPropagator, baggage: unknown) =>
  propagator.extract(ROOT_CONTEXT, { baggage }, defaultTextMapGetter)
const entriesIn = (held: Context): unknown =>
  propagation
    .getBaggage(held)
    ?.getAllEntries()
    .map(([key, { value, metadata }]) => [key, value, metadata?.toString()])
const entriesOf = (propagator: TextMapPropagator, baggage: unknown): unknown =>
  entriesIn(extract(propagator, baggage))

function injected(propagator: TextMapPropagator, entries: Record<string, BaggageEntry>): unknown {
  const carrier: { baggage?: string } = {}
  const held = propagation.setBaggage(ROOT_CONTEXT, propagation.createBaggage(entries))
  propagator.inject(held, carrier, defaultTextMapSetter)
  return carrier.baggage
}

beforeAll(() => {
  otel = otelWaybill()
})
afterAll(() => otel.undo())

describe('what comes in', () => {
  test.each([
    'a=1',
    'a=1,b=2',
    ' a = 1 ; p=x;q , b=%E6%B3%B3',
    'a=1;p=a%20b',
    'bad=va%lue,b=2',
    '%61=1',
    'a=1,a=2',
    'nothing',
    '=1',
    '',
  ])('foreign members enter as by the stock propagator: %j', (header) => {
    expect(entriesOf(otel.propagator, header)).toEqual(entriesOf(stock, header))
  })

  test.each([
    'clk=mallory',
    'CLK=mallory',
    '%63lk=mallory',
    '\u00a0clk=mallory;p=x',
    'shard-key=42',
    'hop-count=1',
    'target-unit=sz',
    'waybill-depth=3',
    'waybill-later=1',
  ])('%j does not enter, and is held untrusted', (member) => {
    const held = extract(otel.propagator, `a=1,${member},b=2;p`)
    expect(entriesIn(held)).toEqual(entriesOf(stock, 'a=1,b=2;p'))
    expect(untrustedBaggage(held)).toBe(member)
  })

  test('ours alone leave no baggage; several lines are one', () => {
    expect(entriesOf(otel.propagator, 'clk=mallory')).toBeUndefined()
    const held = extract(otel.propagator, ['clk=alice', 'a=1', 'clk=bob'])
    expect(entriesIn(held)).toEqual([['a', '1', undefined]])
    expect(untrustedBaggage(held)).toBe('clk=alice,clk=bob')
  })

  test.each([undefined, '', 42, null])('%j is no header', (header) => {
    expect(extract(otel.propagator, header)).toBe(ROOT_CONTEXT)
  })

  test('a name that objects inherit is a member like any other', () => {
    expect(entriesOf(otel.propagator, '__proto__=1,constructor=2')).toEqual([
      ['__proto__', '1', undefined],
      ['constructor', '2', undefined],
    ])
  })

  test('members beyond 8192 characters or 180 are left', () => {
    const long = `a=${'x'.repeat(8000)}`
    expect(entriesOf(otel.propagator, `${long},b=${'y'.repeat(300)},c=3`)).toHaveLength(1)
    expect(entriesOf(otel.propagator, `a=${'x'.repeat(9000)},b=22`)).toBeUndefined()
    const many = Array.from({ length: 200 }, (_, at) => `k${String(at)}=v`).join(',')
    expect(entriesOf(otel.propagator, many)).toHaveLength(180)
  })

  test('outside of any adoption nothing is held', () => {
    expect(untrustedBaggage()).toBeUndefined()
  })
})

describe('what goes out', () => {
  const metadata = baggageEntryMetadataFromString('p=a%20b;q')

  test.each<Record<string, BaggageEntry>>([
    { a: { value: '1' } },
    { a: { value: 'ö,;=' }, 'b c': { value: '' } },
    { a: { value: '1', metadata }, b: { value: '2' } },
    {},
  ])('foreign entries go as by the stock propagator: %j', (entries) => {
    expect(injected(otel.propagator, entries)).toBe(injected(stock, entries))
  })

  test.each(['clk', 'CLK', ' clk', 'shard-key', 'waybill-depth', 'waybill-later'])(
    'an entry %j stays here, whoever put it there',
    (key) => {
      expect(injected(otel.propagator, { [key]: { value: 'x' }, a: { value: '1', metadata } })).toBe(
        'a=1;p=a%20b;q',
      )
    },
  )

  test('half of a surrogate pair costs its own member alone', () => {
    expect(injected(otel.propagator, { bad: { value: 'a\uD800' }, a: { value: '1' } })).toBe('a=1')
  })

  test('what does not fit is left out whole', () => {
    const entries = { a: { value: 'x'.repeat(8100) }, b: { value: 'y'.repeat(200) }, c: { value: '3' } }
    expect(injected(otel.propagator, entries)).toBe(`a=${'x'.repeat(8100)},c=3`)
  })

  test('a call of the tracer’s own bears nothing', () => {
    const carrier = {}
    const held = propagation.setBaggage(ROOT_CONTEXT, propagation.createBaggage({ a: { value: '1' } }))
    otel.propagator.inject(suppressTracing(held), carrier, defaultTextMapSetter)
    expect(carrier).toEqual({})
  })

  test('it says which header it writes', () => {
    expect(otel.propagator.fields()).toEqual(stock.fields())
  })
})

describe('names of the kit', () => {
  beforeAll(() => {
    createKit({
      service: 'order',
      environment: 'test',
      names: { clk: { baggage: 'lane' } },
      aliases: { signadot: 'read' },
      fields: { tenant: { baggage: 'tenant' } },
    })
  })

  test.each(['lane=x', 'clk=x', 'sd-routing-key=x', 'Tenant=x', '%6Cane=x'])(
    '%j is one of ours in both directions',
    (member) => {
      expect(entriesOf(otel.propagator, `${member},a=1`)).toEqual([['a', '1', undefined]])
      const [key] = decodeURIComponent(member).split('=') as [string]
      expect(injected(otel.propagator, { [key]: { value: 'x' }, a: { value: '1' } })).toBe('a=1')
    },
  )

  test('with injectEverywhere the waybill goes by them, and not where the kit is disabled', () => {
    const everywhere = otelWaybill({ injectEverywhere: true })
    const kit = createKit({ service: 'order', environment: 'test', names: { clk: { baggage: 'lane' } } })
    const goes = (): unknown =>
      withWaybill({ clk: 'alice' }, () => injected(everywhere.propagator, { a: { value: '1' } }))
    expect(goes()).toBe('lane=alice,waybill-depth=1,a=1')
    expect(injected(everywhere.propagator, { a: { value: '1' } })).toBe('a=1')
    kit.disable()
    expect(goes()).toBe('a=1')
    everywhere.undo()
  })
})
