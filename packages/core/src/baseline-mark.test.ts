import { expect, test } from 'vitest'
import { baselineMark } from './baseline-mark.js'

const interfaces = { lo: [{ address: '127.0.0.1' }], en1: [{ address: 'fe80::1' }, { address: '10.0.0.7' }] }

test.each([
  [false, undefined, 'none'],
  [true, undefined, 'here'],
  [true, '10.0.0.7', 'here'],
  [true, '127.0.0.1', 'here'],
  [true, '10.0.0.8', 'elsewhere'],
  [true, '10.0.0', 'elsewhere'],
])('a mark %s that names %s is %s', (baseline, baselineAddress, mark) => {
  expect(baselineMark({ baseline, baselineAddress }, interfaces)).toBe(mark)
})

test('by default the machine’s own addresses count', () => {
  expect(baselineMark({ baseline: true, baselineAddress: '127.0.0.1' })).toBe('here')
  expect(baselineMark({ baseline: true, baselineAddress: '192.0.2.7' })).toBe('elsewhere')
})
