import { decodeMember, scanBaggage, type BaggageScan } from './baggage.js'
import { BELIEF, type Belief } from './belief.js'
import type { Carrier, CarrierValue } from './carrier.js'
import { clkClaims, readClkClaim, type ClkClaim } from './clk-claim.js'
import { MALFORMED_HOP_COUNT, parseDepth, parseHopCount } from './codec.js'
import type { Ledger } from './counters.js'
import type { ClkSource, DropReason } from './events.js'
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

/** What was found out about the clk; settled when the facts have been read. */
export interface ClkFinding {
  readonly source: ClkSource
  /** Why it was refused, where it was. */
  readonly refused: Extract<DropReason, 'AMBIGUOUS_CLK' | 'INVALID_CLK'> | undefined
}

/** What all readers of one kit share. */
export interface ReadingRules {
  readonly names: WireNames
  readonly ledger: Ledger
  /** Why a clk that stands there does not count: nobody believes the sender, or no clk counts in production. */
  readonly clkRefusal: Extract<DropReason, 'UNTRUSTED' | 'PRODUCTION'>
}

const NOTHING: BaggageScan = { values: [], ambiguous: [], own: false, beyond: 0 }

/**
 * Reads an arrival's headers, once, when its facts are first looked at. It is given the headers alone, never the
 * request: a waybill may outlive its request in a timer, and must not keep it alive.
 */
export class WireReader implements WaybillReader {
  readonly #names: WireNames
  readonly #ledger: Ledger
  readonly #clkRefusal: ReadingRules['clkRefusal']
  readonly #carrier: Carrier
  readonly #belief: Belief
  readonly #edge: EdgeClk | undefined
  readonly #ownClk: string | undefined
  #source: ClkSource = 'none'
  #refused: ClkFinding['refused'] = undefined
  /** The arrival bears a clk header, even an empty one, or a member of ours. */
  #bearsOurs = false

  /**
   * @param edge the clk of an edge, which replaces header and baggage; undefined where headers are read as a peer's.
   * @param ownClk the process's own clk, adopted where the arrival bears nothing of ours.
   */
  constructor(
    rules: ReadingRules,
    carrier: Carrier,
    belief: Belief,
    edge: EdgeClk | undefined,
    ownClk: string | undefined,
  ) {
    this.#names = rules.names
    this.#ledger = rules.ledger
    this.#clkRefusal = rules.clkRefusal
    this.#carrier = carrier
    this.#belief = belief
    this.#edge = edge
    this.#ownClk = ownClk
  }

  get finding(): ClkFinding {
    return { source: this.#source, refused: this.#refused }
  }

  read(request: Request): WaybillFacts {
    const header = this.#carrier.get('baggage')
    const text = typeof header === 'string' ? header : header?.join(',')
    const scan = text === undefined || text === '' ? NOTHING : scanBaggage(text, this.#names.members)
    if (scan.beyond > 0) this.#ledger.drop('in', 'baggage', 'OVER_LIMIT', scan.beyond)
    this.#bearsOurs = scan.own || this.#carrier.get(this.#names.facts.clk.header) !== undefined
    const clk = this.#readClk(scan)
    const key = this.#readValue('shardKey', BELIEF.shardKey, scan)
    if (key !== undefined) request.bind(key)
    return {
      clk,
      hopCount: this.#readHopCount(scan),
      targetUnit: this.#readTargetUnit(scan),
      depth: this.#readDepth(scan),
      extras: this.#readFields(scan),
    }
  }

  #readClk(scan: BaggageScan): string | undefined {
    if ((this.#belief & BELIEF.clk) === 0) {
      if (clkClaims(this.#names, this.#carrier, scan).length > 0) {
        this.#ledger.drop('in', 'clk', this.#clkRefusal)
      }
      return this.#adoptOwn()
    }
    if (this.#edge !== undefined) {
      const { source, text } = this.#edge
      // An edge believes its own sources alone; a clk elsewhere is nobody's word there.
      const elsewhere = source === 'none' && this.#carrier.get(this.#names.facts.clk.header) !== undefined
      if (elsewhere || scan.values[SLOT.clk] !== undefined) this.#ledger.drop('in', 'clk', 'UNTRUSTED')
      if (text === undefined) return this.#adoptOwn()
      return this.#acceptClk({ source, text, ambiguous: false, encoded: source === 'cookie' })
    }
    const claims = clkClaims(this.#names, this.#carrier, scan)
    const first = claims[0]
    if (first === undefined) return this.#adoptOwn()
    const clk = this.#acceptClk(first)
    if (claims.some((claim) => claim !== first && differs(claim, clk))) {
      this.#ledger.conflict({ direction: 'in', field: 'clk', kept: first.source })
    }
    return clk
  }

  #acceptClk(claim: ClkClaim): string | undefined {
    const { clk, refused } = readClkClaim(claim)
    this.#source = claim.source
    this.#refused = refused
    if (refused !== undefined) this.#ledger.drop('in', 'clk', refused)
    return clk
  }

  #adoptOwn(): string | undefined {
    if (this.#ownClk === undefined || this.#bearsOurs) return undefined
    this.#source = 'own'
    return this.#ownClk
  }

  /** A shard key, or a fact that is read like one. */
  #readValue(fact: 'shardKey', bit: number, scan: BaggageScan): string | undefined {
    if ((this.#belief & bit) === 0) {
      this.#refuseUntrusted(fact, scan)
      return undefined
    }
    const header = this.#carrier.get(this.#names.facts[fact].header)
    const member = scan.values[SLOT[fact]]
    if (header === undefined) {
      return member === undefined
        ? undefined
        : this.#decode(fact, member, scan.ambiguous[SLOT[fact]] === true)
    }
    const value = this.#decode(fact, header, false)
    if (member !== undefined && (scan.ambiguous[SLOT[fact]] === true || decodeValue(member) !== value)) {
      this.#ledger.conflict({ direction: 'in', field: fact, kept: 'header' })
    }
    return value
  }

  #decode(field: string, text: CarrierValue, ambiguous: boolean): string | undefined {
    // A comma is never written unencoded, so one means two lines.
    const twice = ambiguous || typeof text !== 'string' || text.includes(',')
    const value = twice ? undefined : decodeValue(trimSpace(text))
    if (value === undefined) this.#ledger.drop('in', field, twice ? 'AMBIGUOUS' : 'INVALID')
    return value
  }

  #readHopCount(scan: BaggageScan): number {
    const header = this.#carrier.get(this.#names.facts.hopCount.header)
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
      this.#ledger.conflict({ direction: 'in', field: 'hopCount', kept: 'the greater' })
    }
    return Math.max(fromHeader ?? 0, fromMember ?? 0)
  }

  #parseHop(text: CarrierValue): number {
    const hop = typeof text === 'string' ? parseHopCount(trimSpace(text)) : undefined
    if (hop === undefined) this.#ledger.drop('in', 'hopCount', 'INVALID')
    return hop ?? MALFORMED_HOP_COUNT
  }

  #readTargetUnit(scan: BaggageScan): string | undefined {
    const header = this.#carrier.get(this.#names.facts.targetUnit.header)
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
    if (unit === undefined) this.#ledger.drop('in', 'targetUnit', twice ? 'AMBIGUOUS' : 'INVALID')
    if (
      header !== undefined &&
      member !== undefined &&
      (scan.ambiguous[SLOT.targetUnit] === true || parseCellName(decodeMember(member)) !== unit)
    ) {
      this.#ledger.conflict({ direction: 'in', field: 'targetUnit', kept: 'header' })
    }
    return unit
  }

  #readDepth(scan: BaggageScan): number {
    const member = scan.values[SLOT.depth]
    if (member === undefined) return 0
    if ((this.#belief & BELIEF.depth) === 0) {
      this.#ledger.drop('in', 'depth', 'UNTRUSTED')
      return 0
    }
    const depth = scan.ambiguous[SLOT.depth] === true ? undefined : parseDepth(member)
    if (depth === undefined) this.#ledger.drop('in', 'depth', 'INVALID')
    return depth ?? 0
  }

  #readFields(scan: BaggageScan): WaybillFacts['extras'] {
    let extras: (string | undefined)[] | undefined
    this.#names.fields.forEach((field, index) => {
      const slot = SLOT.extras + index
      const member = scan.values[slot]
      if (member === undefined) return
      if ((this.#belief & BELIEF.fields) === 0) this.#ledger.drop('in', field.name, 'UNTRUSTED')
      else {
        extras ??= []
        extras[index] = this.#decode(field.name, member, scan.ambiguous[slot] === true)
      }
    })
    return extras
  }

  #refuseUntrusted(fact: Exclude<NamedFact, 'clk'>, scan: BaggageScan): void {
    const here =
      this.#carrier.get(this.#names.facts[fact].header) !== undefined || scan.values[SLOT[fact]] !== undefined
    if (here) this.#ledger.drop('in', fact, 'UNTRUSTED')
  }
}

function differs(claim: ClkClaim, clk: string | undefined): boolean {
  const other = readClkClaim(claim)
  return other.refused !== undefined || other.clk !== clk
}
