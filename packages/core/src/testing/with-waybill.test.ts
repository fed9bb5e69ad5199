import { describe, expect, test } from 'vitest'
import { createKit, currentWaybill } from '../index.js'
import { withWaybill } from './with-waybill.js'

createKit({ service: 'order', environment: 'test', fields: { hue: {} } })

describe('withWaybill', () => {
  test('makes the facts current and returns what the body returns', async () => {
    const fields = {
      clk: 'Me',
      shardKey: '7',
      hopCount: 1,
      targetUnit: 'SZ',
      depth: 3,
      fields: { hue: 'red' },
    }
    const seen = await withWaybill(fields, async () => {
      await Promise.resolve()
      const { clk, shardKey, hopCount, targetUnit, depth } = currentWaybill()
      return [clk, shardKey, hopCount, targetUnit, depth, currentWaybill().field('hue')]
    })
    expect(seen).toEqual(['me', '7', 1, 'sz', 3, 'red'])
  })

  test.each([
    { clk: 'a_b' },
    { depth: -1 },
    { depth: 0.5 },
    { hopCount: 100 },
    { targetUnit: 'a b' },
    { fields: { nobody: 'x' } },
  ])('refuses what no request could have: %j', (fields) => {
    expect(() => withWaybill(fields, () => {})).toThrow(
      expect.objectContaining({ code: 'ERR_WAYBILL_INVALID_VALUE' }),
    )
  })

  test('refuses a key that no request could have', () => {
    for (const shardKey of ['', 'a\uD800', 'k'.repeat(257)]) {
      expect(() => withWaybill({ shardKey }, () => {})).toThrow(
        expect.objectContaining({ code: 'ERR_WAYBILL_INVALID_VALUE' }),
      )
    }
  })
})
