import { isWaybillError, WaybillError } from '@waybill/core/adapter'
import { expect, test } from 'vitest'
import { packError, unpackError } from './task-error.js'

const crossed = (error: unknown): unknown => unpackError(structuredClone(packError(error)))

test('an error of the kit keeps code, facts, remedy, status and cause', () => {
  const error = new WaybillError(
    'ERR_WAYBILL_NO_PROVIDER',
    { service: 'stock' },
    { cause: new TypeError('why'), remedy: 'Do this.' },
  )
  const seen = crossed(error) as WaybillError
  expect(isWaybillError(seen)).toBe(true)
  expect(seen).toMatchObject({
    code: error.code,
    facts: error.facts,
    remedy: 'Do this.',
    status: 503,
    message: error.message,
    stack: error.stack,
    cause: { name: 'TypeError', message: 'why' },
  })
})

test('also as the cause of another, whose own object is not written to', () => {
  const error = new TypeError('fetch failed', { cause: new WaybillError('ERR_WAYBILL_LOOP') })
  const seen = crossed(error) as Error
  expect(seen).toBeInstanceOf(TypeError)
  expect(seen.cause).toMatchObject({ code: 'ERR_WAYBILL_LOOP', status: 508 })
  expect(isWaybillError(error.cause)).toBe(true)
})

test('what cannot be cloned is left behind, and the error still arrives', () => {
  const circle: Record<string, unknown> = { run: () => {} }
  circle['self'] = circle
  const error = new WaybillError('ERR_WAYBILL_LOOP', circle, { cause: circle })
  expect(crossed(error)).toMatchObject({ code: 'ERR_WAYBILL_LOOP', facts: {} })
})

test('any other is as it was thrown', () => {
  for (const error of [new TypeError('own'), 'text', null, undefined, { code: 7 }]) {
    expect(packError(error)).toBe(error)
    expect(unpackError(error)).toBe(error)
  }
})
