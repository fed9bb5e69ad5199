import { describe, expect, test } from 'vitest'
import { errorCodes, isWaybillError, WaybillError } from './errors.js'

describe('each code', () => {
  test.each(errorCodes)('%s says what, why and what to do', (code) => {
    const cause = new Error('cause')
    const error = new WaybillError(code, { service: 'inventory', count: 3, nothing: undefined }, { cause })
    expect(error).toBeInstanceOf(Error)
    expect([error.name, error.code, error.cause]).toEqual(['WaybillError', code, cause])
    expect(error.message).toMatch(
      /^[A-Z][^(]+ \(service: inventory; count: 3\)\. [A-Z].+\. \[ERR_WAYBILL_[A-Z_]+\]$/,
    )
    expect(error.message).toContain(error.remedy)
    expect(error.message.endsWith(`[${code}]`)).toBe(true)
    expect(isWaybillError(error)).toBe(true)
  })

  test('without facts there are no brackets, and a place that knows better says its own remedy', () => {
    const error = new WaybillError('ERR_WAYBILL_LOOP', {}, { remedy: 'Do that.' })
    expect(error.message).toMatch(/^[^(]+\. Do that\. \[ERR_WAYBILL_LOOP\]$/)
    expect('cause' in error).toBe(false)
  })

  test('those that are an answer have its status', () => {
    const statuses = Object.fromEntries(
      errorCodes.flatMap((code) => {
        const { status } = new WaybillError(code)
        return status === undefined ? [] : [[code, status]]
      }),
    )
    expect(statuses).toEqual({
      ERR_WAYBILL_KEY_CONFLICT: 409,
      ERR_WAYBILL_LOOP: 508,
      ERR_WAYBILL_MISDIRECTED: 421,
      ERR_WAYBILL_NO_PROVIDER: 503,
      ERR_WAYBILL_PARENT_THREAD: 503,
      ERR_WAYBILL_UNREACHABLE: 503,
    })
  })
})

test.each<[string, unknown]>([
  ['line ends and escapes of terminals', 'a\r\nb\u001b[31m'],
  ['another script', '泳道'],
  ['an object with such', { text: 'a\nb\u0007' }],
  ['a list', ['a', 1]],
  [
    'a circle',
    (() => {
      const circle: { self?: unknown } = {}
      circle.self = circle
      return circle
    })(),
  ],
  ['a BigInt', 1n],
  ['a function', () => 1],
  ['a symbol', Symbol('x')],
])('a message is one printable line whatever the facts hold: %s', (_, value) => {
  expect(new WaybillError('ERR_WAYBILL_LOOP', { value }).message).toMatch(/^[\x20-\x7e]+$/)
})

test('an error of another copy is known by its brand, anything else is none', () => {
  expect(isWaybillError(Object.assign(new Error('x'), { [Symbol.for('@waybill/error')]: true }))).toBe(true)
  for (const other of [
    undefined,
    null,
    'x',
    new Error('x'),
    { code: 'ERR_WAYBILL_LOOP' },
    Object.create(null),
  ]) {
    expect(isWaybillError(other)).toBe(false)
  }
})
