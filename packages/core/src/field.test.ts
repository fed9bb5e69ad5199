import { describe, expect, test } from 'vitest'
import { fieldIndex } from './field.js'
import { createKit } from './index.js'

const withFields = (fields: Record<string, { baggage?: string }>): unknown =>
  createKit({ service: 'order', environment: 'test', fields })

describe('declared fields', () => {
  test('are declared once for the process; saying the same again is fine', () => {
    withFields({ one: { baggage: 'one' }, two: {} })
    withFields({ two: {}, one: { baggage: 'one' }, three: {} })
    expect(fieldIndex('three')! - fieldIndex('one')!).toBe(2)
    expect(fieldIndex('nobody')).toBeUndefined()
    expect(() => withFields({ one: {} })).toThrow(/declared before as one/)
  })

  test.each([
    'constructor',
    'toString',
    '__proto__',
    'a.b',
    'A',
    '',
    'clk',
    'shardKey',
    'depth',
    'a b',
    'x'.repeat(64),
  ])('context OBS-10 context OBS-11 %j is no name of a field', (name) => {
    const fields = JSON.parse(`{${JSON.stringify(name)}:{}}`) as Record<string, object>
    expect(() => withFields(fields)).toThrow(expect.objectContaining({ code: 'ERR_WAYBILL_CONFIGURATION' }))
  })

  test.each(['A', 'a b', 'a=b', 'waybill-x', '', 'a%', 'clk', 'hop-count'])(
    '%j is no member of a field',
    (baggage) => {
      expect(() => withFields({ fine: { baggage } })).toThrow(
        expect.objectContaining({ code: 'ERR_WAYBILL_CONFIGURATION' }),
      )
    },
  )

  test('a kit that was refused leaves nothing behind for the next', () => {
    expect(() => withFields({ left: { baggage: 'same' }, right: { baggage: 'same' } })).toThrow()
    expect(() =>
      createKit({ service: 'o', environment: 'test', fields: { left: {} }, trust: { peers: ['2'] } }),
    ).toThrow()
    expect(fieldIndex('left')).toBeUndefined()
    withFields({ left: { baggage: 'other' } })
  })
})
