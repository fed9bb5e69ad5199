import type { DropReason } from '../stage/dropped.js'
import type { FactsHere } from '../stage/facts-here.js'

/** Headers that somebody should not have sent. */
export interface Hostile {
  readonly title: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** How often each reason is counted; nothing else may be. */
  readonly dropped: Partial<Record<DropReason, number>>
  readonly read: FactsHere
}

const many = (count: number): string =>
  Array.from({ length: count }, (_, index) => `m${String(index)}=1`).join(',')

/** What none may be harmed by, whatever carries headers. */
export const hostileHeaders: readonly Hostile[] = [
  { title: 'an empty clk', headers: [['clk', '']], dropped: {}, read: {} },
  { title: 'no clk', headers: [['clk', 'not valid!']], dropped: { INVALID_CLK: 1 }, read: {} },
  { title: 'bytes', headers: [['clk', '\xff\x80alice']], dropped: { INVALID_CLK: 1 }, read: {} },
  { title: 'a long clk', headers: [['clk', 'a'.repeat(64)]], dropped: { INVALID_CLK: 1 }, read: {} },
  { title: 'a very long clk', headers: [['clk', 'a'.repeat(9000)]], dropped: { INVALID_CLK: 1 }, read: {} },
  {
    title: 'two',
    headers: [
      ['clk', 'alice'],
      ['clk', 'bob'],
    ],
    dropped: { AMBIGUOUS_CLK: 1 },
    read: {},
  },
  { title: 'two in one', headers: [['clk', 'alice, bob']], dropped: { AMBIGUOUS_CLK: 1 }, read: {} },
  {
    title: 'two members',
    headers: [['baggage', 'clk=alice,clk=bob']],
    dropped: { AMBIGUOUS_CLK: 1 },
    read: {},
  },
  {
    title: 'two members on two lines',
    headers: [
      ['baggage', 'clk=alice'],
      ['baggage', 'clk=bob'],
    ],
    dropped: { AMBIGUOUS_CLK: 1 },
    read: {},
  },
  {
    title: 'more members than are read',
    headers: [['baggage', `${many(64)},clk=alice`]],
    dropped: { OVER_LIMIT: 1 },
    read: {},
  },
  {
    title: 'more bytes than are read',
    headers: [['baggage', `long=${'x'.repeat(8190)},clk=alice`]],
    dropped: { OVER_LIMIT: 2 },
    read: {},
  },
  { title: 'no baggage', headers: [['baggage', ',,;;==,=,%,%zz=%zz,"']], dropped: {}, read: {} },
  {
    title: 'names of Object.prototype',
    headers: [
      ['__proto__', 'x'],
      ['constructor', 'x'],
      ['baggage', '__proto__=1,constructor=2,hasOwnProperty=3'],
    ],
    dropped: {},
    read: {},
  },
  { title: 'a bad escape', headers: [['x-shard-key', '%zz']], dropped: { INVALID: 1 }, read: {} },
  { title: 'bad UTF-8', headers: [['x-shard-key', '%ff']], dropped: { INVALID: 1 }, read: {} },
  { title: 'a long key', headers: [['x-shard-key', 'k'.repeat(257)]], dropped: { INVALID: 1 }, read: {} },
  {
    title: 'two keys',
    headers: [
      ['x-shard-key', '1'],
      ['x-shard-key', '2'],
    ],
    dropped: { AMBIGUOUS: 1 },
    read: {},
  },
  { title: 'no hop count', headers: [['x-hop-count', '-1']], dropped: { INVALID: 1 }, read: { hopCount: 1 } },
  { title: 'no depth', headers: [['baggage', 'waybill-depth=1e9']], dropped: { INVALID: 1 }, read: {} },
  {
    title: 'an ill one among good ones',
    headers: [
      ['clk', 'alice'],
      ['x-shard-key', '%zz'],
      ['baggage', 'waybill-depth=2'],
    ],
    dropped: { INVALID: 1 },
    read: { clk: 'alice', depth: 2 },
  },
]
