import { expect, test } from 'vitest'
import { checkArgument, checkOptions, described, type Expected } from './check-argument.js'
import { createKit } from './index.js'

const kit = createKit({ service: 'order', environment: 'test' })

test.each<[Expected, unknown[], unknown[]]>([
  ['kit', [kit], [undefined, null, {}, 'kit', createKit]],
  ['function', [() => 1, class {}], [undefined, null, 'fn', {}]],
  ['boolean', [true, false], ['yes', 1, null]],
  ['milliseconds', [0, 5, 0.5, 2 ** 31 - 1], ['5s', '5', -1, Number.NaN, Infinity, 2 ** 31, undefined]],
])('%s: what fits and what does not', (expected, fitting, others) => {
  const check = (value: unknown) => () => checkArgument('f(x)', 'x', value, expected)
  for (const value of fitting) expect(check(value)).not.toThrow()
  for (const value of others) {
    expect(check(value)).toThrow(
      expect.objectContaining({
        code: 'ERR_WAYBILL_CONFIGURATION',
        facts: { call: 'f(x)', option: 'x', problem: expect.stringContaining(`got ${described(value)}`) },
        remedy: 'Correct the call.',
      }),
    )
  }
})

test('options: unknown names, wrong values and what is no object are told of; what is undefined is not said', () => {
  const check = (options: unknown) => () => checkOptions('f(x, options)', options, { loud: 'boolean' })
  for (const options of [{}, { loud: true }, { loud: undefined }]) expect(check(options)).not.toThrow()
  expect(check({ lound: true })).toThrow('option: lound; problem: there is no such option; one of loud')
  expect(check({ toString: true })).toThrow('option: toString; problem: there is no such option')
  expect(check({ loud: 'yes' })).toThrow('option: loud; problem: takes true or false, and got "yes"')
  for (const options of [null, true, () => 1])
    expect(check(options)).toThrow('option: options; problem: takes an object')
})

test.each([
  [undefined, 'undefined'],
  [null, 'null'],
  ['5s', '"5s"'],
  ['x'.repeat(99), `"${'x'.repeat(60)}"`],
  [5, '5'],
  [[1], 'a list'],
  [new Map(), 'an object made by Map'],
  [Object.create(null), 'an object'],
  [createKit, 'the function createKit'],
  [
    (
      () => () =>
        1
    )(),
    'a function',
  ],
])('%o in words: %s', (value, words) => {
  expect(described(value)).toBe(words)
})
