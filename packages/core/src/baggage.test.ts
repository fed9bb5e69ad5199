import { describe, expect, test } from 'vitest'
import {
  decodeMember,
  joinBaggage,
  membersBeside,
  scanBaggage,
  siftMembers,
  type MemberNames,
} from './baggage.js'
import { trimSpace } from './trim-space.js'

const names: MemberNames = new Map([
  ['clk', 0],
  ['shard-key', 1],
  ['default-name', -1],
])

describe('scanning', () => {
  test('finds ours in one pass and cuts properties off', () => {
    const scan = scanBaggage('a=1, clk = alice ;p=1;q ,shard-key=7', names)
    expect(scan).toEqual({ values: ['alice', '7'], ambiguous: [], own: true, beyond: 0 })
  })

  test('a member that came twice is ambiguous only where the values differ', () => {
    expect(scanBaggage('clk=a,clk=a', names).ambiguous).toEqual([])
    expect(scanBaggage('clk=a,CLK=b', names).ambiguous).toEqual([true])
  })

  test.each(['', ',', ' , ,\t', '=', ';', '==;;,,', 'clk', 'clk;clk=x', '%', '%63', '%zz=1'])(
    '%j holds nothing of ours that could be read',
    (text) => {
      expect(scanBaggage(text, names).values).toEqual([])
    },
  )

  test('a name that is ours and not read is seen, and nothing is kept of it', () => {
    const scan = scanBaggage('default-name=x,waybill-future=y', names)
    expect(scan.own).toBe(true)
    expect(Object.keys(scan.values)).toEqual([])
  })

  test('names of the prototype are foreign members', () => {
    const scan = scanBaggage('__proto__=1,constructor=2,toString=3,hasOwnProperty=4', names)
    expect(scan).toEqual({ values: [], ambiguous: [], own: false, beyond: 0 })
    expect(({} as Record<string, unknown>)['1']).toBeUndefined()
  })

  test('context open-telemetry/opentelemetry-swift-core#108 65 and 181 members: 64 are looked at, the rest is counted', () => {
    const members = (count: number): string => Array.from({ length: count }, (_, at) => `k${at}=v`).join(',')
    expect(scanBaggage(members(64), names).beyond).toBe(0)
    expect(scanBaggage(members(65), names).beyond).toBe(1)
    expect(scanBaggage(members(181), names).beyond).toBe(117)
    expect(scanBaggage(`${members(63)},clk=alice`, names).values).toEqual(['alice'])
    expect(scanBaggage(`${members(64)},clk=alice`, names).values).toEqual([])
  })

  test.each([
    [8191, 0, ['alice']],
    [8192, 0, ['alice']],
    [8193, 1, []],
  ])('a header of %i bytes, separators counted: %i beyond', (bytes, beyond, values) => {
    const header = `a=${'x'.repeat(bytes - 'a='.length - ',clk=alice'.length)},clk=alice`
    expect(header).toHaveLength(bytes)
    const scan = scanBaggage(header, names)
    expect(scan.beyond).toBe(beyond)
    expect(scan.values).toEqual(values)
  })

  test.each([
    ['members', 'clk=alice,', 'k=v,'.repeat(250_000)],
    ['commas', 'clk=alice,', ','.repeat(1_000_000)],
    ['one value', 'clk=alice,', `a=${'x'.repeat(1_000_000)}`],
    ['no equals sign', 'clk=alice,', 'x,'.repeat(500_000)],
    ['escapes', 'clk=alice,', '%'.repeat(1_000_000)],
  ])('routing-48 a megabyte of %s is read in bounded time', (_, first, rest) => {
    const started = performance.now()
    for (let round = 0; round < 5; round++) expect(scanBaggage(first + rest, names).values).toEqual(['alice'])
    expect(scanBaggage(`${rest},clk=alice`, names).values).toEqual([])
    expect(performance.now() - started).toBeLessThan(2000)
  })
})

describe("the caller's members", () => {
  test('context open-telemetry/opentelemetry-java PR#8682 a property is kept byte for byte', () => {
    expect(siftMembers('k=v;prop=a%20b', names)).toEqual({ own: [], foreign: ['k=v;prop=a%20b'] })
  })

  test.each([
    'clk=x',
    'CLK=x',
    '%63lk=x',
    '%63%6C%6b=x',
    ' clk =x',
    '\u00a0clk=x',
    '\nclk=x',
    '%20clk%20=x',
    'clk;p=x',
    'clk',
    'waybill-depth=1',
    'WAYBILL-anything=1',
    'default-name=x',
  ])('%j is one of ours', (member) => {
    expect(siftMembers(`a=1,${member},b=2`, names)).toEqual({
      own: [trimSpace(member)],
      foreign: ['a=1', 'b=2'],
    })
  })

  test.each(['xclk=1', 'clk2=1', '%2563lk=1', 'clk%zz=1', 'way=clk', '__proto__=1'])(
    '%j is hers',
    (member) => {
      expect(siftMembers(member, names)).toEqual({ own: [], foreign: [member] })
    },
  )
})

describe("a tracer's members", () => {
  test.each([
    ['a=1,b=2', ['c=3'], ['a=1', 'b=2']],
    ['a=1,b=2', ['a=9;p'], ['b=2']],
    ['a%20b=1', ['%61 b=9'], []],
    ['a=1', ['a'], []],
    ['', ['a=1'], []],
  ])('%j beside %j', (text, members, added) => {
    expect(membersBeside(members, text)).toEqual(added)
  })
})

describe('joining', () => {
  test('ours come first and fit in any case', () => {
    const hers = Array.from({ length: 65 }, (_, at) => `k${at}=v`)
    const { text, omitted } = joinBaggage(['clk=me', 'd=1'], hers)
    expect(text.split(',')).toEqual(['clk=me', 'd=1', ...hers.slice(0, 62)])
    expect(omitted).toBe(3)
  })

  test('exactly 8192 bytes fit', () => {
    const member = `a=${'x'.repeat(8192 - 'clk=me,a='.length)}`
    expect(joinBaggage(['clk=me'], [member]).text).toHaveLength(8192)
    expect(joinBaggage(['clk=me'], [`${member}x`])).toEqual({ text: 'clk=me', omitted: 1 })
  })

  test.each([
    ['members', 'k=v,'.repeat(250_000)],
    ['commas', ','.repeat(1_000_000)],
    ['escapes', '%63lk=x,'.repeat(125_000)],
    ['one name', '%'.repeat(1_000_000)],
  ])("a caller's megabyte of %s is merged in bounded time", (_, callers) => {
    const started = performance.now()
    const { foreign: members } = siftMembers(callers, names)
    expect(joinBaggage(['clk=me'], members).text.startsWith('clk=me')).toBe(true)
    expect(performance.now() - started).toBeLessThan(3000)
  })

  test('nothing makes an empty header', () => {
    expect(joinBaggage([], [])).toEqual({ text: '', omitted: 0 })
  })
})

test('a member that cannot be decoded is looked at as it stands', () => {
  expect(decodeMember('%61')).toBe('a')
  expect(decodeMember('%zz')).toBe('%zz')
})
