import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { decodeEscapes } from './decode-escapes.js'

const byNode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const escape = (byte: number): string => `%${byte.toString(16).padStart(2, '0')}`

const bytes = Array.from({ length: 256 }, (_, byte) => byte)
/** Each bound of RFC 3629's table, and what lies beside it. */
const bounds = [0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0]
const leads = [0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff]

test('every sequence of one and two bytes, and those of more at the bounds, come to what decodeURIComponent makes', () => {
  const two = bytes.flatMap((first) => [[first], ...bytes.map((second) => [first, second])])
  const more = leads.flatMap((first) =>
    bounds.flatMap((second) =>
      bounds.flatMap((third) => [
        [first, second, third],
        ...bounds.map((fourth) => [first, second, third, fourth]),
      ]),
    ),
  )
  const texts = [...two, ...more].map((sequence) => sequence.map(escape).join(''))
  expect(texts.filter((text) => decodeEscapes(text) !== byNode(text))).toEqual([])
})

test('any text comes to what decodeURIComponent makes', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }).map(encodeURIComponent),
    fc.constantFrom('%', '%6', '%zz', '%FF', '%c0%80', '%ED%A0%80', '%e6%B3', '\n', '\ud800', 'a=b'),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const text = pieces.join('')
      expect(decodeEscapes(text)).toBe(byNode(text))
    }),
    { numRuns: 5000 },
  )
})

test('a text that cannot be decoded is not tried: the exception would cost more than all else', () => {
  const decode = vi.spyOn(globalThis, 'decodeURIComponent')
  for (const text of ['%zz', '%', '%ff', '%c0%80', '%ed%a0%80', 'plain']) decodeEscapes(text)
  expect(decode).not.toHaveBeenCalled()
  decode.mockRestore()
})

test.each([
  ['escapes', '%61', 'a'],
  ['plain characters', 'a', 'a'],
])('ten million %s before an escape neither throw nor lose anything', (_, piece, plain) => {
  const count = 10_000_000
  expect(decodeEscapes(`${piece.repeat(count)}%62`) === `${plain.repeat(count)}b`).toBe(true)
  expect(decodeEscapes(`${piece.repeat(count)}%zz`)).toBeUndefined()
})
