import { decodeMember, scanBaggage, type BaggageScan } from './baggage.js'
import { BELIEF, type Belief } from './belief.js'
import type { Carrier, CarrierValue } from './carrier.js'
import { clkClaims, readClkClaim, type ClkClaim, type ClkRefusal } from './clk-claim.js'
import { MALFORMED_HOP_COUNT, parseDepth, parseHopCount } from './codec.js'
import type { Ledger } from './counters.js'
import { escapePattern } from './escape-pattern.js'
import type { ClkSource, DropReason } from './events.js'
import { PlainForm, type PlainFacts } from './plain-form.js'
import type { Request } from './request.js'
import { parseCellName } from './tag.js'
import { trimSpace } from './trim-space.js'
import { decodeValue } from './value-text.js'
import type { WaybillFacts, WaybillReader } from './waybill.js'
import { SLOT, type NamedFact, type WireNames } from './wire-names.js'

/** A clk that an edge took from a place of its own (`trust.edgeFrom`). */
export interface EdgeClk {
  readonly source: ClkSource
  readonly text: CarrierValue
}

/** What all readers of one kit share. */
export interface ReadingRules {
  readonly names: WireNames
  readonly ledger: Ledger
  /** The short way for what a kit wrote; undefined: all is read the long way, which comes to the same. */
  readonly plain: PlainForm | undefined
  /** Why a clk that stands there does not count: nobody believes the sender, or no clk counts in production. */
  readonly clkRefusal: Extract<DropReason, 'UNTRUSTED' | 'PRODUCTION'>
  /** Matches a baggage header that may bear a clk. */
  readonly memberMayBearClk: RegExp
}

/** @param carriesClk false in production without `devRouting`. */
export function readingRules(names: WireNames, ledger: Ledger, carriesClk: boolean): ReadingRules {
  const members = [names.facts.clk, ...names.aliases].flatMap(({ baggage }) => baggage ?? [])
  return {
    names,
    ledger,
    plain: new PlainForm(names),
    clkRefusal: carriesClk ? 'UNTRUSTED' : 'PRODUCTION',
    // Names are read in any case and after decoding, so an escape may hide one.
    memberMayBearClk: new RegExp(['%', ...members.map(escapePattern)].join('|'), 'i'),
  }
}

/** A cheap look at whether reading may find a clk under another name than that of the dedicated header. */
export function mayBearClk({ memberMayBearClk, names }: ReadingRules, carrier: Carrier): boolean {
  const baggage = carrier.get('baggage')
  if (baggage !== undefined && (typeof baggage !== 'string' || memberMayBearClk.test(baggage))) return true
  return names.aliases.some(({ header }) => header !== undefined && carrier.get(header) !== undefined)
}

const NOTHING: BaggageScan = { values: [], ambiguous: [], own: false, beyond: 0 }

/**
 * Reads an arrival's headers, once, when its facts are first looked at. It is given the headers alone, never the
 * request: a waybill may outlive its request in a timer, and must not keep it alive.
 */
export class WireReader implements WaybillReader {
  readonly #rules: ReadingRules
  readonly #carrier: Carrier
  readonly #belief: Belief
  readonly #edge: EdgeClk | undefined
  readonly #ownClk: string | undefined
  #source: ClkSource = 'none'
  #refused: ClkRefusal | undefined = undefined

  /**
   * @param edge the clk of an edge, which replaces header and baggage; undefined where headers are read as a peer's.
   * @param ownClk the process's own clk, adopted where the request bears nothing of ours.
   */
  constructor(
    rules: ReadingRules,
    carrier: Carrier,
    belief: Belief,
    edge: EdgeClk | undefined,
    ownClk: string | undefined,
  ) {
    this.#rules = rules
    this.#carrier = carrier
    this.#belief = belief
    this.#edge = edge
    this.#ownClk = ownClk
  }

  /** Where the clk came from; settled when the facts have been read. */
  get source(): ClkSource {
    return this.#source
  }

  /** Why the clk was refused, where it was; settled when the facts have been read. */
  get refused(): ClkRefusal | undefined {
    return this.#refused
  }

  read(request: Request): WaybillFacts {
    return this.#readPlain(request) ?? this.readAtLength(request)
  }

  /** Reads headers of any form; for whoever has tried the plain form. */
  readAtLength(request: Request): WaybillFacts {
    const header = this.#carrier.get('baggage')
    const text = typeof header === 'string' ? header : header?.join(',')
    const scan = text === undefined || text === '' ? NOTHING : scanBaggage(text, this.#rules.names.members)
    if (scan.beyond > 0) this.#rules.ledger.drop('in', 'baggage', 'OVER_LIMIT', scan.beyond)
    const clk = this.#readClk(scan)
    const key = this.#readValue('shardKey', BELIEF.shardKey, scan)
    if (key !== undefined) request.bind(key)
    return {
      clk,
      hopCount: this.#readHopCount(scan),
      targetUnit: this.#readTargetUnit(scan),
      depth: this.#readDepth(scan),
      extras: this.#readFields(scan),
      text: undefined,
    }
  }

  #readPlain(request: Request): PlainFacts | undefined {
    if (this.#edge !== undefined) return undefined
    const plain = this.#rules.plain?.read(this.#carrier, this.#belief, request)
    if (plain !== undefined) this.#source = plain.text.source
    return plain
  }

  #clkHeader(): CarrierValue {
    return this.#carrier.get(this.#rules.names.facts.clk.header)
  }

  #readClk(scan: BaggageScan): string | undefined {
    if ((this.#belief & BELIEF.clk) === 0) {
      if (clkClaims(this.#rules.names, this.#carrier, scan).length > 0) {
        this.#rules.ledger.drop('in', 'clk', this.#rules.clkRefusal)
      }
      return this.#adoptOwn(scan)
    }
    if (this.#edge !== undefined) {
      const { source, text } = this.#edge
      // An edge believes its own sources alone; a clk elsewhere is nobody's word there.
      const elsewhere =
        source === 'none' && this.#carrier.get(this.#rules.names.facts.clk.header) !== undefined
      if (elsewhere || scan.values[SLOT.clk] !== undefined) this.#rules.ledger.drop('in', 'clk', 'UNTRUSTED')
      if (text === undefined) return this.#adoptOwn(scan)
      return this.#acceptClk({ source, text, ambiguous: false, encoded: source === 'cookie' })
    }
    const claims = clkClaims(this.#rules.names, this.#carrier, scan)
    const first = claims[0]
    if (first === undefined) return this.#adoptOwn(scan)
    const clk = this.#acceptClk(first)
    if (claims.some((claim) => claim !== first && differs(claim, clk))) {
      this.#rules.ledger.conflict('in', 'clk', first.source)
    }
    return clk
  }

  #acceptClk(claim: ClkClaim): string | undefined {
    const { clk, refused } = readClkClaim(claim)
    this.#source = claim.source
    this.#refused = refused
    if (refused !== undefined) this.#rules.ledger.drop('in', 'clk', refused)
    return clk
  }

  /** The process's own clk, where the arrival bears neither a clk header, even an empty one, nor a member of ours. */
  #adoptOwn(scan: BaggageScan): string | undefined {
    if (this.#ownClk === undefined || scan.own || this.#clkHeader() !== undefined) return undefined
    this.#source = 'own'
    return this.#ownClk
  }

  /** A shard key, or a fact that is read like one. */
  #readValue(fact: 'shardKey', bit: number, scan: BaggageScan): string | undefined {
    if ((this.#belief & bit) === 0) {
      this.#refuseUntrusted(fact, scan)
      return undefined
    }
    const header = this.#carrier.get(this.#rules.names.facts[fact].header)
    const member = scan.values[SLOT[fact]]
    if (header === undefined) {
      return member === undefined
        ? undefined
        : this.#decode(fact, member, scan.ambiguous[SLOT[fact]] === true)
    }
    const value = this.#decode(fact, header, false)
    if (member !== undefined && (scan.ambiguous[SLOT[fact]] === true || decodeValue(member) !== value)) {
      this.#rules.ledger.conflict('in', fact, 'header')
    }
    return value
  }

  #decode(field: string, text: CarrierValue, ambiguous: boolean): string | undefined {
    // A comma is never written unencoded, so one means two lines.
    const twice = ambiguous || typeof text !== 'string' || text.includes(',')
    const value = twice ? undefined : decodeValue(trimSpace(text))
    if (value === undefined) this.#rules.ledger.drop('in', field, twice ? 'AMBIGUOUS' : 'INVALID')
    return value
  }

  #readHopCount(scan: BaggageScan): number {
    const header = this.#carrier.get(this.#rules.names.facts.hopCount.header)
    const member = scan.values[SLOT.hopCount]
    if (header === undefined && member === undefined) return 0
    if ((this.#belief & BELIEF.hopCount) === 0) {
      this.#refuseUntrusted('hopCount', scan)
      return 0
    }
    const fromHeader = header === undefined ? undefined : this.#parseHop(header)
    const fromMember =
      member === undefined ? undefined : this.#parseHop(scan.ambiguous[SLOT.hopCount] === true ? [] : member)
    if (fromHeader !== undefined && fromMember !== undefined && fromHeader !== fromMember) {
      this.#rules.ledger.conflict('in', 'hopCount', 'the greater')
    }
    return Math.max(fromHeader ?? 0, fromMember ?? 0)
  }

  #parseHop(text: CarrierValue): number {
    const hop = typeof text === 'string' ? parseHopCount(trimSpace(text)) : undefined
    if (hop === undefined) this.#rules.ledger.drop('in', 'hopCount', 'INVALID')
    return hop ?? MALFORMED_HOP_COUNT
  }

  #readTargetUnit(scan: BaggageScan): string | undefined {
    const header = this.#carrier.get(this.#rules.names.facts.targetUnit.header)
    const member = scan.values[SLOT.targetUnit]
    if (header === undefined && member === undefined) return undefined
    if ((this.#belief & BELIEF.targetUnit) === 0) {
      this.#refuseUntrusted('targetUnit', scan)
      return undefined
    }
    const text = header ?? decodeMember(member ?? '')
    const twice =
      typeof text !== 'string' || (header === undefined && scan.ambiguous[SLOT.targetUnit] === true)
    const unit = twice ? undefined : parseCellName(text)
    if (unit === undefined) this.#rules.ledger.drop('in', 'targetUnit', twice ? 'AMBIGUOUS' : 'INVALID')
    if (
      header !== undefined &&
      member !== undefined &&
      (scan.ambiguous[SLOT.targetUnit] === true || parseCellName(decodeMember(member)) !== unit)
    ) {
      this.#rules.ledger.conflict('in', 'targetUnit', 'header')
    }
    return unit
  }

  #readDepth(scan: BaggageScan): number {
    const member = scan.values[SLOT.depth]
    if (member === undefined) return 0
    if ((this.#belief & BELIEF.depth) === 0) {
      this.#rules.ledger.drop('in', 'depth', 'UNTRUSTED')
      return 0
    }
    const depth = scan.ambiguous[SLOT.depth] === true ? undefined : parseDepth(member)
    if (depth === undefined) this.#rules.ledger.drop('in', 'depth', 'INVALID')
    return depth ?? 0
  }

  #readFields(scan: BaggageScan): WaybillFacts['extras'] {
    let extras: (string | undefined)[] | undefined
    this.#rules.names.fields.forEach((field, index) => {
      const slot = SLOT.extras + index
      const member = scan.values[slot]
      if (member === undefined) return
      if ((this.#belief & BELIEF.fields) === 0) this.#rules.ledger.drop('in', field.name, 'UNTRUSTED')
      else {
        extras ??= []
        extras[index] = this.#decode(field.name, member, scan.ambiguous[slot] === true)
      }
    })
    return extras
  }

  #refuseUntrusted(fact: Exclude<NamedFact, 'clk'>, scan: BaggageScan): void {
    const here =
      this.#carrier.get(this.#rules.names.facts[fact].header) !== undefined ||
      scan.values[SLOT[fact]] !== undefined
    if (here) this.#rules.ledger.drop('in', fact, 'UNTRUSTED')
  }
}

function differs(claim: ClkClaim, clk: string | undefined): boolean {
  const other = readClkClaim(claim)
  return other.refused !== undefined || other.clk !== clk
}
