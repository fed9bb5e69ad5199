import { describe, expect, test } from 'vitest'
import { createKit } from '../index.js'
import { expectCarried } from './expect-carried.js'
import { withWaybill } from './with-waybill.js'

createKit({ service: 'order', environment: 'test', fields: { region: { baggage: 'region' }, secret: {} } })

describe('expectCarried', () => {
  test.each<[string, unknown]>([
    ['headers', { clk: 'alice', 'x-shard-key': '7' }],
    ['Headers', new Headers({ baggage: 'clk=alice,shard-key=7' })],
    ['Kafka headers', { baggage: Buffer.from('clk=alice,shard-key=7') }],
    [
      'a Map',
      new Map([
        ['CLK', 'alice'],
        ['X-Shard-Key', '7'],
      ]),
    ],
  ])('accepts %s that carry the current waybill, and returns what was read', (_, headers) => {
    withWaybill({ clk: 'alice', shardKey: '7' }, () => {
      expect(expectCarried(headers).clk).toBe('alice')
    })
  })

  test.each<[string, object, RegExp]>([
    ['nothing', {}, /clk is absent, expected "alice"/],
    ['another tag', { clk: 'bob', 'x-shard-key': '7' }, /clk is "bob", expected "alice"/],
    ['no key', { clk: 'alice' }, /shardKey is absent, expected "7"/],
    ['a tag that is ambiguous', { clk: 'alice, bob', 'x-shard-key': '7' }, /clk is absent/],
    ['no field', { clk: 'alice', 'x-shard-key': '7' }, /region is absent, expected "eu"/],
  ])('names what is missing: %s', (_, headers, message) => {
    withWaybill({ clk: 'alice', shardKey: '7', fields: { region: 'eu', secret: 'x' } }, () => {
      expect(() => expectCarried(headers)).toThrow(message)
    })
  })

  test('with facts it needs no scope', () => {
    expect(
      expectCarried({ clk: 'alice', baggage: 'region=eu' }, { clk: 'alice', fields: { region: 'eu' } }).clk,
    ).toBe('alice')
    expect(() => expectCarried({}, { clk: 'alice' })).toThrow(
      expect.objectContaining({ code: 'ERR_ASSERTION' }),
    )
    expect(() => expectCarried({})).toThrow(expect.objectContaining({ code: 'ERR_WAYBILL_NO_SCOPE' }))
  })
})
