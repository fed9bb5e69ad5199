import { foreignMembers, joinBaggage, type MemberNames } from './baggage.js'
import type { Ledger } from './counters.js'
import { HOP_LIMIT, MAX_WRITTEN_DEPTH } from './limits.js'
import { encodeValue, problemOfValue } from './value-text.js'
import type { WaybillRecord, WaybillWriter } from './waybill.js'
import { DEPTH_MEMBER, type WireNames } from './wire-names.js'

/** A header to set. */
export type HeaderPair = readonly [name: string, value: string]

/** A waybill as it is written: for HTTP the pairs and the members, for messages the members alone. */
export interface WrittenForm {
  /** Dedicated headers of the facts that are set. */
  readonly pairs: readonly HeaderPair[]
  /** Baggage members of ours, in order. */
  readonly members: readonly string[]
  /** The members as one header. */
  readonly baggage: string
}

/** Writes waybills for one kit: own names, aliases and declared fields. A call is written with the next depth. */
export class Codec implements WaybillWriter<WrittenForm> {
  readonly names: WireNames
  /** Headers that no host outside of the fleet may see: ours, and those from which an edge takes a clk. */
  readonly inwardHeaders: readonly string[]
  readonly #ledger: Ledger
  readonly #carriesClk: boolean

  /**
   * @param carriesClk false in production without `devRouting`: a clk is neither read nor written there.
   * @param edgeHeaders from which an edge takes a clk, in lower case.
   */
  constructor(names: WireNames, ledger: Ledger, carriesClk: boolean, edgeHeaders: readonly string[] = []) {
    this.names = names
    this.inwardHeaders = [...new Set([...names.headers, ...edgeHeaders])]
    this.#ledger = ledger
    this.#carriesClk = carriesClk
  }

  write(waybill: WaybillRecord): WrittenForm {
    const { facts } = this.names
    const pairs: HeaderPair[] = []
    const members: string[] = []
    const add = (names: { header?: string; baggage?: string }, value: string): void => {
      if (names.header !== undefined) pairs.push([names.header, value])
      if (names.baggage !== undefined) members.push(`${names.baggage}=${value}`)
    }
    const { clk, hopCount, targetUnit, depth, extras } = waybill.facts()
    if (clk !== undefined && this.#carriesClk) {
      add(facts.clk, clk)
      for (const alias of this.names.aliases) if (alias.write) add(alias, clk)
    }
    const key = waybill.shardKey
    if (key !== undefined) add(facts.shardKey, encodeValue(key))
    if (hopCount > 0) add(facts.hopCount, String(hopCount))
    if (targetUnit !== undefined) add(facts.targetUnit, targetUnit)
    members.push(`${DEPTH_MEMBER}=${Math.min(depth + 1, MAX_WRITTEN_DEPTH)}`)
    if (extras !== undefined) this.#addFields(extras, members)
    // Fields are many and long in bad cases only; what does not fit is told here, once, not by every merge.
    const { text, omitted } = joinBaggage(members, [])
    if (omitted > 0) this.#ledger.drop('out', 'fields', 'OVER_LIMIT', omitted)
    return { pairs, members: omitted === 0 ? members : text.split(','), baggage: text }
  }

  /** The baggage header of a call: ours first, then what the caller put there, less members of our names. */
  merge(form: WrittenForm, callers: string): { readonly baggage: string; readonly removed: number } {
    const { members, removed } = foreignMembers(callers, this.names.members)
    const { text, omitted } = joinBaggage(form.members, members)
    if (omitted > 0) this.#ledger.drop('out', 'baggage', 'OVER_LIMIT', omitted)
    return { baggage: text, removed }
  }

  #addFields(extras: readonly (string | undefined)[], members: string[]): void {
    this.names.fields.forEach((field, index) => {
      const value = extras[index]
      if (value === undefined || field.baggage === undefined) return
      // A field that could not be read back is left out and counted; the call goes on without it.
      if (problemOfValue(value) === undefined) members.push(`${field.baggage}=${encodeValue(value)}`)
      else this.#ledger.drop('out', field.name, 'INVALID')
    })
  }
}

/** Members of our names taken out of a baggage header that leaves the fleet; the rest stays as it is, byte for byte. */
export function stripBaggage(
  text: string,
  names: MemberNames,
): { readonly baggage: string; readonly removed: number } {
  const { members, removed } = foreignMembers(text, names)
  return removed === 0 ? { baggage: text, removed } : { baggage: members.join(','), removed }
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
