import { joinBaggage, membersBeside, siftMembers, type MemberNames } from './baggage.js'
import type { Ledger } from './counters.js'
import { HOP_LIMIT, MAX_WRITTEN_DEPTH } from './limits.js'
import { encodeValue, problemOfValue } from './value-text.js'
import type { WaybillFacts, WaybillRecord, WaybillWriter } from './waybill.js'
import { DEPTH_MEMBER, type WireNames } from './wire-names.js'

/** A header to set. */
export type HeaderPair = readonly [name: string, value: string]

/** A waybill as it is written: for HTTP the pairs and the baggage, for messages the baggage alone. */
export interface WrittenForm {
  /** Dedicated headers of the facts that are set. */
  readonly pairs: readonly HeaderPair[]
  /** Baggage members of ours, in order, as one header. */
  readonly baggage: string
}

/** Writes waybills for one kit: own names, aliases and declared fields. */
export class Codec implements WaybillWriter<WrittenForm> {
  readonly names: WireNames
  /** Headers that no host outside of the fleet may see: ours, and those from which an edge takes a clk. */
  readonly inwardHeaders: readonly string[]
  readonly #ledger: Ledger
  readonly #carriesClk: boolean
  readonly #step: 0 | 1

  /**
   * @param carriesClk false in production without `devRouting`: a clk is neither read nor written there.
   * @param edgeHeaders from which an edge takes a clk, in lower case.
   * @param step what the depth grows by: 1 for a hop, 0 for what stays on this one.
   */
  constructor(
    names: WireNames,
    ledger: Ledger,
    carriesClk: boolean,
    edgeHeaders: readonly string[] = [],
    step: 0 | 1 = 1,
  ) {
    this.names = names
    this.inwardHeaders = [...new Set([...names.headers, ...edgeHeaders])]
    this.#ledger = ledger
    this.#carriesClk = carriesClk
    this.#step = step
  }

  write(waybill: WaybillRecord): WrittenForm {
    const facts = waybill.facts()
    const { depth, text } = facts
    const key = waybill.shardKey
    const nextDepth = String(Math.min(depth + this.#step, MAX_WRITTEN_DEPTH))
    // What came in the plain form and goes on unchanged differs in its depth alone.
    if (text?.names === this.names && text.shardKey === key) {
      return { pairs: this.#pairs(facts, key), baggage: text.baggage.slice(0, text.depthAt) + nextDepth }
    }
    const value = key === undefined ? undefined : encodeValue(key)
    return { pairs: this.#pairs(facts, value), baggage: this.#members(facts, value, nextDepth) }
  }

  #pairs({ clk, hopCount, targetUnit }: WaybillFacts, key: string | undefined): HeaderPair[] {
    const { facts, aliases } = this.names
    const written = this.#carriesClk ? clk : undefined
    const pairs = firstPairs(facts, written, key)
    if (written !== undefined) {
      for (const { write, header } of aliases) {
        if (write && header !== undefined) pairs.push([header, written])
      }
    }
    if (hopCount > 0) pairs.push([facts.hopCount.header, String(hopCount)])
    if (targetUnit !== undefined) pairs.push([facts.targetUnit.header, targetUnit])
    return pairs
  }

  #members(
    { clk, hopCount, targetUnit, extras }: WaybillFacts,
    key: string | undefined,
    nextDepth: string,
  ): string {
    const { facts, aliases } = this.names
    let text = ''
    if (clk !== undefined && this.#carriesClk) {
      text = `${facts.clk.baggage}=${clk},`
      for (const { write, baggage } of aliases) {
        if (write && baggage !== undefined) text += `${baggage}=${clk},`
      }
    }
    if (key !== undefined) text += `${facts.shardKey.baggage}=${key},`
    if (hopCount > 0) text += `${facts.hopCount.baggage}=${String(hopCount)},`
    if (targetUnit !== undefined) text += `${facts.targetUnit.baggage}=${targetUnit},`
    text += `${DEPTH_MEMBER}=${nextDepth}`
    return extras === undefined ? text : this.#withFields(text, extras)
  }

  /**
   * The baggage header of a call: ours first, then what the caller put there, less members of our names, then what a
   * tracer adds under other names.
   */
  merge(
    form: WrittenForm,
    callers: string,
    tracers = '',
  ): { readonly baggage: string; readonly removed: number } {
    const { own, foreign } = siftMembers(callers, this.names.members)
    const others = tracers === '' ? foreign : [...foreign, ...membersBeside(foreign, tracers)]
    const { text, omitted } = joinBaggage(form.baggage.split(','), others)
    if (omitted > 0) this.#ledger.drop('out', 'baggage', 'OVER_LIMIT', omitted)
    return { baggage: text, removed: own.length }
  }

  /** Fields are many and long in bad cases only; what does not fit is told here, once, not by every merge. */
  #withFields(baggage: string, extras: readonly (string | undefined)[]): string {
    const members: string[] = []
    this.names.fields.forEach((field, index) => {
      const value = extras[index]
      if (value === undefined || field.baggage === undefined) return
      // A field that could not be read back is left out and counted; the call goes on without it.
      if (problemOfValue(value) === undefined) members.push(`${field.baggage}=${encodeValue(value)}`)
      else this.#ledger.drop('out', field.name, 'INVALID')
    })
    const { text, omitted } = joinBaggage(baggage.split(','), members)
    if (omitted > 0) this.#ledger.drop('out', 'fields', 'OVER_LIMIT', omitted)
    return text
  }
}

/**
 * Tag and key, which nearly all waybills have at most. A literal is as long as what stands in it, where the first push to
 * an empty array makes room for seventeen.
 */
function firstPairs(
  names: WireNames['facts'],
  clk: string | undefined,
  key: string | undefined,
): HeaderPair[] {
  if (clk === undefined) return key === undefined ? [] : [[names.shardKey.header, key]]
  return key === undefined
    ? [[names.clk.header, clk]]
    : [
        [names.clk.header, clk],
        [names.shardKey.header, key],
      ]
}

/**
 * The baggage header of a call that leaves the fleet: members of our names are taken out, what a tracer adds under other
 * names comes last, the rest stays as it is, byte for byte.
 */
export function stripBaggage(
  text: string,
  names: MemberNames,
  tracers = '',
): { readonly baggage: string; readonly removed: number } {
  const { own, foreign } = siftMembers(text, names)
  const added = tracers === '' ? [] : membersBeside(foreign, tracers)
  const same = own.length === 0 && added.length === 0
  return { baggage: same ? text : [...foreign, ...added].join(','), removed: own.length }
}

/** A hop count as it is read: one or two digits, else the limit, so that no relay accepts it. */
export function parseHopCount(text: string): number | undefined {
  return /^\d{1,2}$/.test(text) ? Number(text) : undefined
}

/** What a malformed hop count counts as. */
export const MALFORMED_HOP_COUNT: number = HOP_LIMIT

/** A depth as it is read; undefined where malformed. */
export function parseDepth(text: string): number | undefined {
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined
}
