import { expect, test } from 'vitest'
import { headerLines } from './header-lines.js'

test.each([
  ['an object with a text', new String('mallory'), 'mallory'],
  ['an object that says a text', { toString: () => 'mallory' }, 'mallory'],
  ['a list of them', [new String('mallory'), 'm'], 'mallory, m'],
  ['true', true, 'true'],
  ['a number', 7, '7'],
  ['bytes', Buffer.from('mallory'), 'mallory'],
  ['an object that says none', Object.create(null), ''],
])('a value that is no text is seen as its client sends it: %s', (_kind, value, text) => {
  expect(headerLines({ CLK: value }).get('clk')).toBe(text)
})

test('what is undefined is not sent, and not seen', () => {
  expect(headerLines({ clk: undefined, 'x-shard-key': [] }).get('clk')).toBeUndefined()
})
