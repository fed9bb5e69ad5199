import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BELIEF, PEER_BELIEF } from './belief.js'
import { carrierOf } from './carrier.js'
import { Codec } from './codec.js'
import { Ledger } from './counters.js'
import { Request } from './request.js'
import { problemOfValue } from './value-text.js'
import { readingRules, WireReader, type ReadingRules } from './waybill-reader.js'
import { WaybillRecord, type WaybillFacts } from './waybill.js'
import { wireNames } from './wire-names.js'

// `npm run nightly` runs the same file with RUNS=1000000.
const numRuns = Number(process.env['RUNS'] ?? 2000)
// Each run tries the same cases; the nightly one looks for others.
const tries = { numRuns, ...(process.env['RUNS'] === undefined && { seed: 20_261_130 }) }
const timeout = Math.max(60_000, numRuns * 20)

const fields = [
  { name: 'tenant', baggage: 'tenant' },
  { name: 'note', baggage: undefined },
]
const names = wireNames({}, {}, fields)
const rules = (): ReadingRules => readingRules(names, new Ledger(), true)

function read(headers: Readonly<Record<string, string>>, ledgerRules = rules()): WaybillRecord {
  const carrier = carrierOf(headers)
  const belief = PEER_BELIEF | BELIEF.targetUnit
  return WaybillRecord.unread(
    new WireReader(ledgerRules, carrier, belief, undefined, undefined),
    new Request(),
  )
}

/** What the documented format says, once more: plain, slow, with nothing of ours in it. */
const plain = {
  utf8(text: string): Uint8Array {
    return new TextEncoder().encode(text)
  },
  isWellFormed(text: string): boolean {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(plain.utf8(text)) === text
  },
  decode(text: string): string | undefined {
    const bytes: number[] = []
    for (let at = 0; at < text.length; at++) {
      const hex = text.slice(at + 1, at + 3)
      if (text[at] !== '%') bytes.push(...plain.utf8(text[at]!))
      else if (/^[0-9a-fA-F]{2}$/.test(hex)) {
        bytes.push(parseInt(hex, 16))
        at += 2
      } else return undefined
    }
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes))
    } catch {
      return undefined
    }
  },
  strip(text: string): string {
    return text.replace(/^[ \t]+|[ \t]+$/g, '')
  },
  clk(text: string): string | undefined {
    const one = plain.strip(text)
    const segment = /^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$/
    const fits = one.length <= 63 && one.split('.').every((part) => segment.test(part))
    return fits ? one.toLowerCase() : undefined
  },
  key(text: string): string | undefined {
    const one = plain.strip(text)
    if (one === '' || [...one].some((char) => char < ' ' || char > '~')) return undefined
    const value = plain.decode(one)
    return value === undefined || plain.utf8(value).length > 256 ? undefined : value
  },
  /** The members of a header that may be looked at, and how many lie beyond. */
  members(header: string): { looked: string[]; beyond: number } {
    const looked: string[] = []
    let beyond = 0
    let end = -1
    let stopped = false
    for (const part of header.split(',')) {
      end += part.length + 1
      if (end > 8192) stopped = true
      if (plain.strip(part) === '') continue
      if (looked.length === 64) stopped = true
      if (stopped) beyond++
      else looked.push(part)
    }
    return { looked, beyond }
  },
  nameOf(text: string): string {
    // Trimmed as widely as any hop may, decoded as far as it can be.
    const raw = text.trim()
    return (plain.decode(raw) ?? raw).trim().toLowerCase()
  },
  isOurs(name: string): boolean {
    const ours = ['clk', 'shard-key', 'hop-count', 'target-unit', 'tenant']
    return ours.includes(name) || name.startsWith('waybill-')
  },
  values(header: string, name: string): string[] {
    return plain.members(header).looked.flatMap((member) => {
      const equals = member.indexOf('=')
      if (equals === -1 || plain.nameOf(member.slice(0, equals)) !== name) return []
      return [plain.strip(member.slice(equals + 1).split(';')[0]!)]
    })
  },
}

const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 120 })
  .map((units) => String.fromCharCode(...units))
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc.string({ maxLength: 300 }),
  anyUnits,
  fc.constantFrom(
    '泳道',
    '😀',
    'a\uD800',
    '%',
    '%ff',
    '%25',
    'a=b',
    '',
    'a\r\nx-evil: 1',
    '汉'.repeat(85),
    '\uFEFFx',
  ),
)
const clk = fc.option(
  fc
    .array(fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/), { minLength: 1, maxLength: 5 })
    .map((segments) => segments.join('.')),
  { nil: undefined },
)
const facts: fc.Arbitrary<WaybillFacts> = fc.record({
  clk,
  hopCount: fc.integer({ min: 0, max: 99 }),
  targetUnit: fc.option(fc.stringMatching(/^[a-z0-9_-]{1,63}$/), { nil: undefined }),
  depth: fc.integer({ min: 0, max: 40 }),
  extras: fc.option(fc.tuple(fc.option(anyText, { nil: undefined }), fc.constant('local')), {
    nil: undefined,
  }),
  text: fc.constant(undefined),
})

/** A header of any bytes in which separators, names of ours and escapes are frequent. */
const hostileHeader = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(',', '=', ';', ' ', '\t', '%', 'clk', 'CLK', '%63lk', 'alice'),
      },
      {
        weight: 3,
        arbitrary: fc.constantFrom('shard-key=', 'hop-count=1', 'waybill-depth=3', 'tenant=x', '%'),
      },
      { weight: 2, arbitrary: fc.constantFrom('%ff', '%E6%B3%B3', '%2C', '%0D%0A', 'a=1', 'waybill-x=1') },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 255 }).map((byte) => String.fromCharCode(byte)) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 4200 }).map((times) => 'x'.repeat(times)) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 70 }).map((times) => 'k=v,'.repeat(times)) },
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''))

test('whatever is bound is read back at the next hop, whatever is set beside it', { timeout }, () => {
  fc.assert(
    fc.property(facts, fc.option(anyText, { nil: undefined }), (given, text) => {
      const ledger = new Ledger()
      const codec = new Codec(names, ledger, true)
      const isValid = (value: string): boolean =>
        value !== '' && plain.isWellFormed(value) && plain.utf8(value).length <= 256
      if (text !== undefined) expect(problemOfValue(text) === undefined).toBe(isValid(text))
      const key = text !== undefined && isValid(text) ? text : undefined
      const form = new WaybillRecord(given, new Request(key)).written(codec)
      for (const value of [...form.pairs.map(([, one]) => one), form.baggage]) {
        expect(value).toMatch(/^[\x21-\x7e]+$/)
      }
      const tenant = given.extras?.[0]
      const carried = tenant !== undefined && isValid(tenant) ? tenant : undefined
      expect(ledger.counters.dropped.INVALID).toBe(tenant !== undefined && carried === undefined ? 1 : 0)
      const withHeaders = { ...Object.fromEntries(form.pairs), baggage: form.baggage }
      for (const headers of [withHeaders, { baggage: form.baggage }]) {
        const arrived = read(headers)
        expect(arrived.facts()).toEqual({
          ...given,
          depth: given.depth + 1,
          extras: carried === undefined ? undefined : [carried],
          text: arrived.facts().text,
        })
        expect(arrived.shardKey).toBe(key)
      }
    }),
    tries,
  )
})

test('any bytes as baggage are read as the format says, and never throw', { timeout }, () => {
  fc.assert(
    fc.property(hostileHeader, (header) => {
      const ledgerRules = rules()
      const arrived = read({ baggage: header }, ledgerRules)
      const one = (name: string): string | undefined => {
        const [first, ...others] = plain.values(header, name)
        return others.every((other) => other === first) ? first : undefined
      }
      const tag = one('clk')
      const decoded = tag === undefined ? undefined : (plain.decode(tag) ?? tag)
      expect(arrived.clk).toBe(decoded === undefined ? undefined : plain.clk(decoded))
      const key = one('shard-key')
      expect(arrived.shardKey).toBe(key === undefined ? undefined : plain.key(key))
      const tenant = one('tenant')
      expect(arrived.facts().extras?.[0]).toBe(tenant === undefined ? undefined : plain.key(tenant))
      const depth = one('waybill-depth') ?? ''
      expect(arrived.depth).toBe(/^[0-9]{1,6}$/.test(depth) ? Number(depth) : 0)
      const hops = plain.values(header, 'hop-count')
      const hop = one('hop-count') ?? ''
      expect(arrived.hopCount).toBe(hops.length === 0 ? 0 : /^[0-9]{1,2}$/.test(hop) ? Number(hop) : 1)
      expect(ledgerRules.ledger.counters.dropped.OVER_LIMIT).toBe(plain.members(header).beyond)
    }),
    tries,
  )
})

test('any bytes as dedicated headers never throw, and a tag is of the grammar or absent', { timeout }, () => {
  const bytes = fc.oneof(
    hostileHeader,
    anyText,
    clk.map((one) => one ?? ''),
  )
  fc.assert(
    fc.property(bytes, bytes, bytes, bytes, (tag, key, hop, unit) => {
      const arrived = read({ clk: tag, 'x-shard-key': key, 'x-hop-count': hop, 'x-target-unit': unit })
      expect(arrived.clk).toBe(tag.includes(',') ? undefined : plain.clk(tag))
      expect(arrived.shardKey).toBe(key.includes(',') ? undefined : plain.key(key))
      const count = plain.strip(hop)
      expect(arrived.hopCount).toBe(/^[0-9]{1,2}$/.test(count) ? Number(count) : 1)
      const cell = plain.strip(unit)
      expect(arrived.targetUnit).toBe(/^[a-zA-Z0-9_-]{1,63}$/.test(cell) ? cell.toLowerCase() : undefined)
    }),
    tries,
  )
})

test(
  "ours first, then the caller's, each whole and in order, within 64 members and 8192 bytes",
  { timeout },
  () => {
    fc.assert(
      fc.property(facts, hostileHeader, (given, callers) => {
        const ledger = new Ledger()
        const codec = new Codec(names, ledger, true)
        const form = new WaybillRecord({ ...given, extras: undefined }, new Request()).written(codec)
        const merged = codec.merge(form, callers)
        const hers = callers
          .split(',')
          .map(plain.strip)
          .filter((member) => member !== '')
        const foreign = hers.filter((member) => !plain.isOurs(plain.nameOf(member.split(/[=;]/)[0]!)))
        const kept = form.baggage.split(',')
        let omitted = 0
        for (const member of foreign) {
          if (kept.length === 64 || [...kept, member].join(',').length > 8192) omitted++
          else kept.push(member)
        }
        expect(merged.baggage).toBe(kept.join(','))
        expect(merged.removed).toBe(hers.length - foreign.length)
        expect(ledger.counters.dropped.OVER_LIMIT).toBe(omitted)
        // What a hop merges, the next reads whole.
        expect(read({ baggage: merged.baggage }).clk).toBe(given.clk)
      }),
      tries,
    )
  },
)
