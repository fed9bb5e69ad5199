import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  actFor,
  bindShardKey,
  currentWaybill,
  isWaybillError,
  runWithWaybill,
  waybillFields,
} from './index.js'
import { recordEvents, withWaybill, type EventRecorder } from './testing.js'

let events: EventRecorder
beforeEach(() => {
  events = recordEvents()
})
afterEach(() => {
  events.stop()
})

const conflict = expect.objectContaining({ code: 'ERR_WAYBILL_KEY_CONFLICT', status: 409 }) as Error

describe('S0-6 a request is bound to one key', () => {
  test('the same again is fine, another throws', () => {
    withWaybill({}, () => {
      bindShardKey('buyer-A')
      bindShardKey('buyer-A')
      expect(() => bindShardKey('seller-B')).toThrow(conflict)
      expect(currentWaybill().shardKey).toBe('buyer-A')
    })
  })

  test('context OBS-13 siblings share the slot: not both pass', async () => {
    await withWaybill({}, async () => {
      const branch = async (key: string): Promise<string> => {
        await Promise.resolve()
        bindShardKey(key)
        return key
      }
      const outcomes = await Promise.allSettled([branch('buyer-A'), branch('seller-B')])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
      expect((outcomes[1] as PromiseRejectedResult).reason).toEqual(conflict)
      expect(currentWaybill().shardKey).toBe('buyer-A')
    })
  })

  test('also through with(): another tag is still the same request', () => {
    withWaybill({ shardKey: 'buyer-A' }, () => {
      runWithWaybill(currentWaybill().with({ clk: 'bob' }), () => {
        expect(() => bindShardKey('seller-B')).toThrow(conflict)
      })
    })
  })

  test('context OBS-6 context OBS-5 what could not be read back is refused', () => {
    withWaybill({}, () => {
      for (const key of ['', '汉'.repeat(455), '汉'.repeat(86), 'a\uD800', 7, undefined, null]) {
        expect(() => bindShardKey(key as string)).toThrow(
          expect.objectContaining({ code: 'ERR_WAYBILL_INVALID_VALUE' }),
        )
      }
      bindShardKey('汉'.repeat(85))
    })
  })
})

describe('acting for another user', () => {
  test('has a slot of its own, keeps the rest, and ends', () => {
    withWaybill({ clk: 'me', shardKey: 'buyer-A', hopCount: 1, depth: 2 }, () => {
      const seen = actFor('seller-B', { reason: 'refund' }, () => {
        const { clk, shardKey, hopCount, depth } = currentWaybill()
        expect(() => bindShardKey('buyer-A')).toThrow(conflict)
        return { clk, shardKey, hopCount, depth }
      })
      expect(seen).toEqual({ clk: 'me', shardKey: 'seller-B', hopCount: 1, depth: 2 })
      expect(currentWaybill().shardKey).toBe('buyer-A')
    })
  })

  test('is an audit event with a hash of the key, and needs a reason', () => {
    withWaybill({}, () => {
      actFor('seller-B', { reason: 'refund' }, () => {})
      for (const options of [undefined, {}, { reason: '' }, { reason: 5 }]) {
        expect(() => actFor('seller-B', options as never, () => {})).toThrow(
          expect.objectContaining({ code: 'ERR_WAYBILL_INVALID_VALUE' }),
        )
      }
    })
    expect(events.of('audit')).toEqual([
      {
        action: 'act-for',
        facts: { reason: 'refund', key: expect.stringMatching(/^[0-9a-f]{8}$/), clk: undefined },
      },
    ])
  })
})

test('no key stands in an error, an event or a log line', () => {
  const secret = 'user-4711-secret'
  const errors: unknown[] = []
  const attempt = (fn: () => unknown): void => {
    try {
      fn()
    } catch (error) {
      errors.push(error)
    }
  }
  withWaybill({ shardKey: secret }, () => {
    attempt(() => bindShardKey(`${secret}-2`))
    attempt(() => bindShardKey(secret.repeat(99)))
    attempt(() => actFor(`${secret}\uD800`, { reason: 'r' }, () => {}))
    actFor(`${secret}-3`, { reason: 'r' }, () => {})
    expect(JSON.stringify(waybillFields())).not.toContain('4711')
    expect(waybillFields().shardHash).toMatch(/^[0-9a-f]{8}$/)
  })
  expect(errors).toHaveLength(3)
  for (const error of errors) {
    expect(isWaybillError(error)).toBe(true)
    expect(`${String(error)} ${JSON.stringify(error)} ${(error as Error).stack}`).not.toContain('4711')
  }
  expect(JSON.stringify(events.all)).not.toContain('4711')
})

test('context OBS-11 log fields hold known names only, and nothing outside of a scope', () => {
  expect(waybillFields()).toEqual({})
  expect(withWaybill({ clk: 'me', shardKey: '7' }, () => Object.keys(waybillFields()))).toEqual([
    'clk',
    'hopCount',
    'depth',
    'shardHash',
  ])
})
