import { expect, test } from 'vitest'
import { describeFailure } from './failure.js'

test('a failure is told by address and the innermost code, bounded and printable', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  const wrapped = Object.assign(new Error('fetch failed', { cause: refused }), { code: 'ERR_OUTER' })
  expect(describeFailure('127.0.0.1:1', wrapped)).toBe('127.0.0.1:1 ECONNREFUSED')
  expect(describeFailure('127.0.0.1:1', { code: 14 })).toBe('127.0.0.1:1 failed')
  expect(describeFailure('127.0.0.1:1', { code: 'A'.repeat(65) })).toBe('127.0.0.1:1 failed')
  expect(describeFailure(undefined, { code: 'E\r\nX: y' })).toBe('unknown address failed')
  const round: { cause?: unknown } = {}
  round.cause = round
  expect(describeFailure('h:1', round)).toBe('h:1 failed')
})
