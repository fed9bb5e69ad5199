import { expect, test } from 'vitest'
import { tooDeepAt } from './nesting.js'

test.each([
  ['flow sequences', '['.repeat(2_000)],
  ['flow sequences, balanced', `${'['.repeat(40)}${']'.repeat(40)}`],
  ['flow mappings', '{a: '.repeat(2_000)],
  ['JSON', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`],
  ['with brackets in texts', '["]", '.repeat(40)],
  ['after an apostrophe', `a: it's ok\nb: ${'['.repeat(40)}`],
  ['block sequences in one line', '- '.repeat(30_000)],
  ['with anchors', '- &a '.repeat(2_000)],
  ['explicit keys', '? '.repeat(2_000)],
  ['values in one line', 'a: - '.repeat(2_000)],
  ['empty keys', ': '.repeat(2_000)],
  ['indentation', Array.from({ length: 100 }, (_, n) => `${' '.repeat(n)}a:\n`).join('')],
  ['indented dashes', Array.from({ length: 100 }, (_, n) => `${' '.repeat(n)}-\n`).join('')],
])('too deep: %s', (_title, text) => {
  expect(tooDeepAt(text)).toBeTypeOf('number')
})

test('the place is that of the first token that is too deep', () => {
  expect(tooDeepAt(`a: "${'['.repeat(99)}"\nb: ${'['.repeat(40)}`)).toBe(105 + 3 + 32)
})

test.each([
  ['an instance', 'instances:\n  - { service: a, host: h, port: 1, metadata: { role: x } }\n'],
  ['many of them', 'services:\n  a:\n'.concat("    - { host: it's, port: 1, clks: [a, b] }\n".repeat(2_000))],
  [
    'brackets in texts',
    `a: "${'['.repeat(99)}"\nb: '${'{'.repeat(99)}'\nc: x${'['.repeat(99)}\n# ${'['.repeat(99)}`,
  ],
  [
    'a text over lines',
    `a: |\n${Array.from({ length: 99 }, (_, n) => `${' '.repeat(n + 1)}x - [\n`).join('')}`,
  ],
  ['a list in blocks', '- host: h\n  port: 1\n  metadata:\n    role: x\n'.repeat(500)],
])('not too deep: %s', (_title, text) => {
  expect(tooDeepAt(text)).toBeUndefined()
})
