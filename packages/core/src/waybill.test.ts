import { afterEach, describe, expect, test } from 'vitest'
import { createKit, currentWaybill, runWithWaybill } from './index.js'
import { Request } from './request.js'
import { withWaybill } from './testing.js'
import { EMPTY_FACTS, WaybillRecord, type WaybillReader } from './waybill.js'

createKit({ service: 'order', environment: 'test', fields: { color: {}, tenant: { baggage: 'x-tenant' } } })

afterEach(() => {
  for (const name of ['clk', 'read', 'hopCount', 'fields', 'targetUnit', 'depth']) {
    delete (Object.prototype as Record<string, unknown>)[name]
  }
})

describe('with', () => {
  test('makes another, of the same request, and changes nothing here', () => {
    withWaybill({ clk: 'alice', shardKey: '7', hopCount: 1, depth: 4 }, () => {
      const before = currentWaybill()
      const after = before.with({ clk: ' Bob ', targetUnit: 'SZ', hopCount: 2, fields: { color: 'red' } })
      expect([before.clk, before.targetUnit, before.hopCount, before.field('color')]).toEqual([
        'alice',
        undefined,
        1,
        undefined,
      ])
      expect([after.clk, after.targetUnit, after.hopCount, after.field('color')]).toEqual([
        'bob',
        'sz',
        2,
        'red',
      ])
      expect([after.shardKey, after.depth]).toEqual(['7', 4])
      expect(after.with({ clk: undefined, fields: { color: undefined } }).clk).toBeUndefined()
      expect(after.with({}).clk).toBe('bob')
    })
  })

  test.each<[string, object]>([
    ['clk', { clk: 'a_b' }],
    ['clk', { clk: '' }],
    ['clk', { clk: 'a\r\nx-evil: 1' }],
    ['clk', { clk: 'alice,bob' }],
    ['clk', { clk: 5 }],
    ['targetUnit', { targetUnit: 'a b' }],
    ['hopCount', { hopCount: -1 }],
    ['hopCount', { hopCount: 1.5 }],
    ['hopCount', { hopCount: 100 }],
    ['hopCount', { hopCount: Number.NaN }],
    ['undeclared', { fields: { undeclared: 'x' } }],
    ['__proto__', { fields: JSON.parse('{"__proto__":"x"}') as object }],
    ['constructor', { fields: { constructor: 'x' } }],
  ])('context axios/axios PR#10660 %s that could not be read back throws: %j', (field, changes) => {
    withWaybill({}, () => {
      expect(() => currentWaybill().with(changes)).toThrow(
        expect.objectContaining({
          code: 'ERR_WAYBILL_INVALID_VALUE',
          facts: expect.objectContaining({ field }),
        }),
      )
    })
  })

  test('context OBS-13 one branch chooses another tag, its sibling and the parent keep theirs', async () => {
    await withWaybill({ clk: 'alice' }, async () => {
      const seen = await Promise.all([
        runWithWaybill(currentWaybill().with({ clk: 'bob' }), async () => {
          await Promise.resolve()
          return currentWaybill().clk
        }),
        (async () => {
          await Promise.resolve()
          return currentWaybill().clk
        })(),
      ])
      expect([...seen, currentWaybill().clk]).toEqual(['bob', 'alice', 'alice'])
    })
  })
})

describe('the class', () => {
  test('has getters only: nothing can be written, listed or serialised', () => {
    withWaybill({ clk: 'alice', shardKey: 'secret' }, () => {
      const waybill = currentWaybill()
      expect(() => {
        ;(waybill as { clk: string }).clk = 'bob'
      }).toThrow(TypeError)
      expect([Object.keys(waybill), JSON.stringify(waybill)]).toEqual([[], '{}'])
    })
  })

  test('facts are read at the first look, once', () => {
    let reads = 0
    const reader: WaybillReader = {
      read(request) {
        reads++
        request.bind('7')
        return { ...EMPTY_FACTS, clk: 'alice' }
      },
    }
    const waybill = WaybillRecord.unread(reader, new Request())
    expect(reads).toBe(0)
    expect([waybill.shardKey, waybill.clk, waybill.depth, waybill.with({}).clk]).toEqual([
      '7',
      'alice',
      0,
      'alice',
    ])
    expect(reads).toBe(1)
  })

  test('the written form is kept, and made anew when the slot was filled since', () => {
    let writes = 0
    const writer = { write: (of: WaybillRecord) => [++writes, of.shardKey] }
    const request = new Request()
    const waybill = new WaybillRecord(EMPTY_FACTS, request)
    expect([waybill.written(writer), waybill.written(writer)]).toEqual([
      [1, undefined],
      [1, undefined],
    ])
    request.bind('7')
    expect([waybill.written(writer), waybill.written(writer)]).toEqual([
      [2, '7'],
      [2, '7'],
    ])
    expect(waybill.written({ write: () => 'other' })).toBe('other')
  })

  test('context OBS-11 a field is a declared one: names of the prototype are none', () => {
    withWaybill({}, () => {
      for (const name of ['constructor', '__proto__', 'toString', 'undeclared', '']) {
        expect(currentWaybill().field(name)).toBeUndefined()
      }
    })
  })
})

test('context axios/axios PR#10750 a polluted Object.prototype changes no fact', () => {
  Object.assign(Object.prototype, {
    clk: 'mallory',
    read: () => ({}),
    hopCount: 9,
    targetUnit: 'x',
    fields: { color: 'x' },
    depth: 7,
  })
  const waybill = new WaybillRecord({ ...EMPTY_FACTS, clk: 'alice' })
  const changed = waybill.with({})
  expect([changed.clk, changed.hopCount, changed.targetUnit, changed.field('color'), changed.depth]).toEqual([
    'alice',
    0,
    undefined,
    undefined,
    0,
  ])
  const read = WaybillRecord.unread({ read: () => EMPTY_FACTS }, new Request())
  expect([read.clk, read.depth]).toEqual([undefined, 0])
})
