import { expect, test } from 'vitest'
import { trimSpace } from './trim-space.js'

test.each([
  [' \t a b \t', 'a b'],
  ['a', 'a'],
  [' \t ', ''],
  ['', ''],
  ['\na\r', '\na\r'],
  ['\u00a0a\ufeff', '\u00a0a\ufeff'],
])('%j becomes %j', (text, trimmed) => {
  expect(trimSpace(text)).toBe(trimmed)
})
