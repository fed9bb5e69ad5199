import { describe, expect, test } from 'vitest'
import { decodeValue, encodeValue, problemOfValue } from './value-text.js'

describe('what a value may be', () => {
  test.each(['42', '泳道', '😀', 'a b', '%ff', 'a\r\nb', '\u0000', 'k'.repeat(256), '汉'.repeat(85)])(
    '%# is fine and comes back',
    (value) => {
      expect(problemOfValue(value)).toBeUndefined()
      expect(encodeValue(value)).toMatch(/^[\x21-\x7e]+$/)
      expect(encodeValue(value)).not.toMatch(/[,;"\\]/)
      expect(decodeValue(encodeValue(value))).toBe(value)
    },
  )

  test.each([
    ['', 'empty'],
    ['a\uD800', 'lone surrogate'],
    ['\uDC00a', 'lone surrogate'],
    ['k'.repeat(257), '257 bytes'],
    ['汉'.repeat(86), '258 bytes'],
    [5, 'a number'],
    [null, 'a object'],
    [undefined, 'a undefined'],
  ])('%# is none', (value, problem) => {
    expect(problemOfValue(value)).toContain(problem)
  })
})

describe('nothing is repaired', () => {
  test.each([
    '',
    '%',
    '%f',
    '%zz',
    '%ff',
    'aa%ffcc',
    '%C0%AF',
    '%ED%A0%80',
    'a\nb',
    'a\u0000b',
    ' a',
    'a ',
    'caf\u00e9',
    'k'.repeat(257),
    '%E6%B1%89'.repeat(86),
  ])('%# %j has no value', (text) => {
    expect(decodeValue(text)).toBeUndefined()
  })

  test('plus is no space', () => {
    expect(decodeValue('a+b')).toBe('a+b')
  })
})
