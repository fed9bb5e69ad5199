import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BELIEF, PEER_BELIEF } from './belief.js'
import { carrierOf, HttpCarrier } from './carrier.js'
import { Codec } from './codec.js'
import { Ledger } from './counters.js'
import { PlainForm } from './plain-form.js'
import { Request } from './request.js'
import { readingRules, WireReader } from './waybill-reader.js'
import { EMPTY_FACTS, WaybillRecord, type WaybillFacts } from './waybill.js'
import { wireNames } from './wire-names.js'

const numRuns = Number(process.env['RUNS'] ?? 2000)
// Each run tries the same cases; the nightly one looks for others.
const tries = { numRuns, ...(process.env['RUNS'] === undefined && { seed: 20_261_130 }) }
const timeout = Math.max(60_000, numRuns * 20)

const names = wireNames({}, {}, [{ name: 'tenant', baggage: 'tenant' }])
const everything = PEER_BELIEF | BELIEF.targetUnit

type Headers = Readonly<Record<string, string>>

const plainRead = (headers: Headers, belief = everything, form = new PlainForm(names)) =>
  form.read(new HttpCarrier(headers), belief, new Request())

/** What is read, what was counted meanwhile, and what is handed on. */
function passOn(headers: Headers, belief: number, short: boolean): unknown {
  const ledger = new Ledger()
  const given = readingRules(names, ledger, true)
  const rules = short ? given : { ...given, plain: undefined }
  const reader = new WireReader(rules, carrierOf(headers), belief, undefined, undefined)
  const waybill = WaybillRecord.unread(reader, new Request())
  const { clk, shardKey, hopCount, targetUnit, depth } = waybill
  const written = waybill.written(new Codec(names, ledger, true))
  const changed = waybill.with({ hopCount: 7 }).written(new Codec(names, ledger, true))
  return {
    ...{ clk, shardKey, hopCount, targetUnit, depth, source: reader.source, refused: reader.refused },
    ...{ written, changed, counters: ledger.counters },
  }
}

const value = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9._~-]{1,20}$/),
  fc.constantFrom('a'.repeat(256), 'a'.repeat(257), 'a%20b', '%', '', ' x', 'x,y', 'x;y=1', '泳'),
)
const facts: fc.Arbitrary<{ -readonly [Name in keyof WaybillFacts]: WaybillFacts[Name] }> = fc.record({
  clk: fc.option(fc.constantFrom('alice', 'team.alice', 'pr-7', 'a--b', 'a'.repeat(63)), { nil: undefined }),
  hopCount: fc.integer({ min: 0, max: 99 }),
  targetUnit: fc.option(fc.constantFrom('sz', 'h_z-1'), { nil: undefined }),
  depth: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(999_998, 999_999)),
  extras: fc.constantFrom(undefined, undefined, undefined, ['red']),
  text: fc.constant(undefined),
})
/** A change to headers that a kit wrote: nothing, a header more, less or other, or text put into one. */
const tampering = fc.option(
  fc.record({
    name: fc.constantFrom('baggage', 'clk', 'x-shard-key', 'x-hop-count', 'x-target-unit', 'tenant'),
    text: fc.oneof(
      value,
      fc.constantFrom(
        'Alice',
        'alice ',
        ',a=1',
        ',clk=bob',
        'clk=alice,',
        '0',
        '05',
        ';p',
        'CLK=x',
        'waybill-depth=3',
      ),
    ),
    how: fc.constantFrom('replace', 'append', 'prepend', 'delete'),
  }),
  { nil: undefined, freq: 2 },
)
const arrivals: fc.Arbitrary<Headers> = fc
  .tuple(
    facts,
    fc.option(fc.oneof(fc.stringMatching(/^[a-z0-9-]{1,9}$/), fc.constantFrom('a b', '泳', '%41')), {
      nil: undefined,
    }),
    tampering,
  )
  .map(([given, key, change]) => {
    const form = new WaybillRecord(given, new Request(key)).written(new Codec(names, new Ledger(), true))
    const headers: Record<string, string> = { ...Object.fromEntries(form.pairs), baggage: form.baggage }
    if (change === undefined) return headers
    const { name, text, how } = change
    const before = headers[name] ?? ''
    headers[name] = how === 'append' ? before + text : how === 'prepend' ? text + before : text
    if (how === 'delete') delete headers[name]
    return headers
  })

test(
  'the short way comes to the same as the general reader: facts, counters and what is handed on',
  { timeout },
  () => {
    let taken = 0
    const beliefs = fc.constantFrom(
      everything,
      PEER_BELIEF,
      BELIEF.nothing,
      everything & ~BELIEF.clk,
      BELIEF.depth,
    )
    fc.assert(
      fc.property(arrivals, beliefs, (headers, belief) => {
        if (plainRead(headers, belief) !== undefined) taken++
        expect(passOn(headers, belief, true)).toEqual(passOn(headers, belief, false))
      }),
      tries,
    )
    // Otherwise it would compare the general reader with itself.
    expect(taken).toBeGreaterThan(numRuns / 40)
  },
)

const written = {
  clk: 'alice',
  'x-shard-key': 'user-7',
  baggage: 'clk=alice,shard-key=user-7,waybill-depth=3',
}

test('what a kit wrote is taken, with and without the dedicated headers', () => {
  const plain = { ...EMPTY_FACTS, clk: 'alice', depth: 3 }
  const text = { names, baggage: written.baggage, depthAt: 41, shardKey: 'user-7' }
  expect(plainRead(written)).toEqual({ ...plain, text: { ...text, source: 'header' } })
  expect(plainRead({ baggage: written.baggage })).toEqual({ ...plain, text: { ...text, source: 'baggage' } })
})

test.each([
  ['a member of somebody else', { ...written, baggage: `${written.baggage},a=1` }],
  ['another order', { ...written, baggage: 'shard-key=user-7,clk=alice,waybill-depth=3' }],
  ['an escape', { baggage: 'shard-key=user%207,waybill-depth=3' }],
  ['a property', { baggage: 'clk=alice;p=1,waybill-depth=3' }],
  ['a header that says something else', { ...written, clk: 'bob' }],
  ['a header without its member', { ...written, 'x-hop-count': '1' }],
  ['a hop count that is not written so', { baggage: 'hop-count=05,waybill-depth=3' }],
  ['a clk of more than 63 characters', { baggage: `clk=${'a'.repeat(64)},waybill-depth=3` }],
  ['no depth', { ...written, baggage: 'clk=alice,shard-key=user-7' }],
  ['a line end', { ...written, baggage: `${written.baggage}\n` }],
])('left to the general reader: %s', (_, headers) => {
  expect(plainRead(headers)).toBeUndefined()
})

test('what is not believed is left to the general reader, which drops and counts it', () => {
  expect(plainRead(written, everything & ~BELIEF.clk)).toBeUndefined()
  expect(plainRead(written, everything & ~BELIEF.shardKey)).toBeUndefined()
  expect(plainRead(written, everything & ~BELIEF.depth)).toBeUndefined()
})

test('with aliases the general reader compares all places', () => {
  const form = new PlainForm(wireNames({}, { mse: 'read' }, []))
  expect(plainRead(written, everything, form)).toBeUndefined()
})

test('configured names are taken literally', () => {
  const form = new PlainForm(wireNames({ clk: { baggage: 'c.k' } }, {}, []))
  expect(plainRead({ baggage: 'c.k=alice,waybill-depth=1' }, everything, form)?.clk).toBe('alice')
  expect(plainRead({ baggage: 'cxk=alice,waybill-depth=1' }, everything, form)).toBeUndefined()
})

test('a key that was bound after the arrival is written, and one of another user', () => {
  const carrier = new HttpCarrier({ clk: 'alice', baggage: 'clk=alice,waybill-depth=3' })
  const rules = readingRules(names, new Ledger(), true)
  const codec = new Codec(names, new Ledger(), true)
  const reader = new WireReader(rules, carrier, everything, undefined, undefined)
  const waybill = WaybillRecord.unread(reader, new Request())
  expect(waybill.written(codec).baggage).toBe('clk=alice,waybill-depth=4')
  waybill.bindKey('user-7')
  expect(waybill.written(codec).baggage).toBe('clk=alice,shard-key=user-7,waybill-depth=4')
  const other = waybill.inRequest(new Request('user-8')).written(codec)
  expect(other.baggage).toBe('clk=alice,shard-key=user-8,waybill-depth=4')
})
