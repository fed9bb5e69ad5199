import { describe, expect, test } from 'vitest'
import { parseCellName, parseClk, parseClkPattern, servesTag, tagOf } from './tag.js'

describe('a clk', () => {
  test.each([
    ['alice', 'alice'],
    ['a', 'a'],
    ['7', '7'],
    ['team.alice', 'team.alice'],
    ['dev.proj-abc.alice', 'dev.proj-abc.alice'],
    ['a--b', 'a--b'],
    ['default', 'default'],
  ])('%j is read as %j', (text, clk) => {
    expect(parseClk(text)).toBe(clk)
  })

  test.each([' alice', 'alice ', '\talice \t'])('D2-5 spaces around %j are trimmed', (text) => {
    expect(parseClk(text)).toBe('alice')
  })

  test.each(['Alice', 'ALICE', 'aLiCe'])('D2-8 %s has one normal form', (text) => {
    expect(parseClk(text)).toBe('alice')
  })

  test.each([
    ['', 'empty'],
    [' ', 'blank'],
    ['-a', 'a hyphen first'],
    ['a-', 'a hyphen last'],
    ['.a', 'an empty segment first'],
    ['a.', 'an empty segment last'],
    ['a..b', 'an empty segment'],
    ['a_b', 'an underscore'],
    ['a b', 'a space inside'],
    ['alice,bob', 'a comma'],
    ['alice;x', 'a semicolon'],
    ['a/b', 'a slash'],
    ['team.*', 'a pattern'],
    ['alice\r\n', 'a line end'],
    ['alice\u00a0', 'a space that is none of HTTP'],
    ['\u212Aarl', 'a Kelvin sign'],
    ['泳道', 'no ASCII'],
    ['a\u0000', 'a NUL'],
    ['__proto__', 'a name of the prototype'],
    ['a'.repeat(64), '64 characters'],
    ['a'.repeat(1_000_000), 'a megabyte'],
  ])('%# is none: %s', (text) => {
    expect(parseClk(text)).toBeUndefined()
  })

  test('63 characters are the most', () => {
    expect(parseClk('a'.repeat(63))).toBe('a'.repeat(63))
  })

  test('a hostile text is judged in bounded time', () => {
    const started = performance.now()
    for (let round = 0; round < 100; round++) parseClk(`${'a-'.repeat(31)}!`)
    expect(performance.now() - started).toBeLessThan(200)
  })
})

describe('a pattern', () => {
  test.each([
    ['Team.*', 'team.*'],
    ['team', 'team'],
    ['a.b.*', 'a.b.*'],
  ])('%s is read as %s', (text, pattern) => {
    expect(parseClkPattern(text)).toBe(pattern)
  })

  test.each(['*', '.*', 'team*', 'team .*', 'team.*.*', '*.team', 'team.* x'])('%s is none', (text) => {
    expect(parseClkPattern(text)).toBeUndefined()
  })

  test('stands for its tag', () => {
    expect(tagOf('team.*')).toBe('team')
    expect(tagOf('team')).toBe('team')
  })
})

describe('what is announced serves', () => {
  test.each([
    [['team.*'], 'team', true],
    [['team.*'], 'team.alice', true],
    [['team.*'], 'team.alice.laptop', true],
    [['team.*'], 'teams', false],
    [['team.*'], 'team-b', false],
    [['team'], 'team', true],
    [['team'], 'team.alice', false],
    [['dev.proj-ab.*'], 'dev.proj-abc', false],
    [['alice', 'bob'], 'bob', true],
    [['alice', 'bob'], 'carol', false],
    [[], 'alice', false],
  ])('%j a request of %s: %s', (patterns, clk, serves) => {
    expect(servesTag(patterns, clk)).toBe(serves)
  })
})

describe('the name of a cell', () => {
  test.each([
    ['SZ', 'sz'],
    [' UNIT_EAST ', 'unit_east'],
    ['unit-1', 'unit-1'],
  ])('D4-10 %j has one normal form, %s', (text, name) => {
    expect(parseCellName(text)).toBe(name)
  })

  test.each(['', 'a b', 'a.b', 'a,b', 'a\n', '\u212A', 'x'.repeat(64)])('%# %j is none', (text) => {
    expect(parseCellName(text)).toBeUndefined()
  })
})
