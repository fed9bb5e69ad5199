import { BELIEF, type Belief } from './belief.js'
import type { Carrier, CarrierValue } from './carrier.js'
import { escapePattern } from './escape-pattern.js'
import type { ClkSource } from './events.js'
import { MAX_BAGGAGE_BYTES, MAX_VALUE_BYTES } from './limits.js'
import type { Request } from './request.js'
import { MAX_CLK, USUAL_CLK } from './tag.js'
import type { WaybillFacts } from './waybill.js'
import { DEPTH_MEMBER, type WireNames } from './wire-names.js'

/** What is written without an escape. Its length is looked at afterwards: a counted loop takes longer. */
const VALUE = '[A-Za-z0-9._~-]+'

/** What headers in the plain form say; the key is in the text. */
export interface PlainFacts extends WaybillFacts {
  readonly text: PlainText
}

/** The text of a waybill that came in the plain form: whoever hands it on unchanged need not write it anew. */
export interface PlainText {
  /** By which names it is written. */
  readonly names: WireNames
  /** The `baggage` header. */
  readonly baggage: string
  /** Where in it the depth begins, which stands at its end. */
  readonly depthAt: number
  /** The key in it; the slot may have been filled since. */
  readonly shardKey: string | undefined
  /** Where the clk was found: the dedicated header comes first. */
  readonly source: ClkSource
}

/**
 * The form in which a kit of the same names writes where no value needs an escape: our members alone, in the order of
 * writing, and beside it no dedicated header that says something else. One regular expression reads it, and nothing in
 * it can be dropped or in conflict. Whatever is not of this form is left to the general reader, which comes to the same
 * on what is.
 */
export class PlainForm {
  readonly #names: WireNames
  readonly #form: RegExp
  /** The last text and what it matched: messages of one send come one after the other, with the same one. */
  #lastText = ''
  #lastMatch: Match | null = null

  constructor(names: WireNames) {
    const { clk, shardKey, hopCount, targetUnit } = names.facts
    const member = (name: string, value: string): string => `(?:${escapePattern(name)}=(${value}),)?`
    this.#names = names
    this.#form = new RegExp(
      `^${member(clk.baggage, USUAL_CLK)}${member(shardKey.baggage, VALUE)}${member(hopCount.baggage, '[1-9]\\d?')}` +
        `${member(targetUnit.baggage, '[a-z0-9_-]{1,63}')}${escapePattern(DEPTH_MEMBER)}=(\\d{1,6})$`,
    )
  }

  /**
   * Reads headers of this form, and the shard key into the request's slot.
   * @param clkHeader the dedicated header of the clk, where it was looked at already.
   * @returns undefined for any other form, and where something is said that is not believed.
   */
  read(
    carrier: Carrier,
    belief: Belief,
    request: Request,
    clkHeader: CarrierValue = carrier.get(this.#names.facts.clk.header),
  ): PlainFacts | undefined {
    const { facts: names, aliases } = this.#names
    // An alias says the clk at one more place, which the general reader compares.
    if (aliases.length > 0) return undefined
    const baggage = carrier.get('baggage')
    if (typeof baggage !== 'string' || baggage.length > MAX_BAGGAGE_BYTES) return undefined
    const match = this.#match(baggage)
    if (match === null) return undefined
    const clk = match[1]
    const shardKey = match[2]
    const hopCount = match[3]
    const targetUnit = match[4]
    const depth = match[5] ?? ''
    const said =
      BELIEF.depth |
      (clk === undefined ? 0 : BELIEF.clk) |
      (shardKey === undefined ? 0 : BELIEF.shardKey) |
      (hopCount === undefined ? 0 : BELIEF.hopCount) |
      (targetUnit === undefined ? 0 : BELIEF.targetUnit)
    if ((said & ~belief) !== 0) return undefined
    if (clk !== undefined && clk.length > MAX_CLK) return undefined
    if (shardKey !== undefined && shardKey.length > MAX_VALUE_BYTES) return undefined
    if (
      !repeats(clkHeader, clk) ||
      !repeats(carrier.get(names.shardKey.header), shardKey) ||
      !repeats(carrier.get(names.hopCount.header), hopCount) ||
      !repeats(carrier.get(names.targetUnit.header), targetUnit)
    ) {
      return undefined
    }
    if (shardKey !== undefined) request.bind(shardKey)
    return {
      clk,
      hopCount: hopCount === undefined ? 0 : Number(hopCount),
      targetUnit,
      depth: Number(depth),
      extras: undefined,
      text: {
        names: this.#names,
        baggage,
        depthAt: baggage.length - depth.length,
        shardKey,
        source: clk === undefined ? 'none' : clkHeader === undefined ? 'baggage' : 'header',
      },
    }
  }

  #match(baggage: string): Match | null {
    if (baggage !== this.#lastText) {
      this.#lastText = baggage
      this.#lastMatch = this.#form.exec(baggage)
    }
    return this.#lastMatch
  }
}

/** The groups of a match, in the order of writing. */
type Match = readonly (string | undefined)[]

/** True if a header is absent or says what the member says. */
function repeats(header: CarrierValue, member: string | undefined): boolean {
  return header === undefined || header === member
}
