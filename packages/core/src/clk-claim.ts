import { decodeMember, type BaggageScan } from './baggage.js'
import type { Carrier, CarrierValue } from './carrier.js'
import type { ClkSource, DropReason } from './events.js'
import { parseClk } from './tag.js'
import { trimSpace } from './trim-space.js'
import { SLOT, type WireNames } from './wire-names.js'

/** A clk in one of the places of an arrival where one may stand. */
export interface ClkClaim {
  readonly source: ClkSource
  readonly text: CarrierValue
  /** True where the place bears several that differ. */
  readonly ambiguous: boolean
  /** True where the text is percent-encoded. */
  readonly encoded: boolean
}

/** Why a clk was refused. */
export type ClkRefusal = Extract<DropReason, 'AMBIGUOUS_CLK' | 'INVALID_CLK'>

/** What a claim comes to: a clk, untagged on purpose (both undefined), or refused. */
interface ClkReading {
  readonly clk: string | undefined
  readonly refused: ClkRefusal | undefined
}

const UNTAGGED: ClkReading = { clk: undefined, refused: undefined }
const AMBIGUOUS: ClkReading = { clk: undefined, refused: 'AMBIGUOUS_CLK' }
const INVALID: ClkReading = { clk: undefined, refused: 'INVALID_CLK' }

/** Every place where an arrival from a peer bears a clk: the dedicated header, the member, then the aliases. */
export function clkClaims(names: WireNames, carrier: Carrier, scan: BaggageScan): readonly ClkClaim[] {
  const claims: ClkClaim[] = []
  const header = carrier.get(names.facts.clk.header)
  if (header !== undefined) claims.push({ source: 'header', text: header, ambiguous: false, encoded: false })
  const member = scan.values[SLOT.clk]
  if (member !== undefined) {
    const ambiguous = scan.ambiguous[SLOT.clk] === true
    claims.push({ source: 'baggage', text: member, ambiguous, encoded: true })
  }
  for (const alias of names.aliases) {
    const text = alias.header === undefined ? scan.values[alias.slot] : carrier.get(alias.header)
    const ambiguous = scan.ambiguous[alias.slot] === true
    if (text !== undefined) {
      claims.push({ source: 'alias', text, ambiguous, encoded: alias.header === undefined })
    }
  }
  return claims
}

/** Reads one claim. An empty text means untagged on purpose. */
export function readClkClaim({ text, ambiguous, encoded }: ClkClaim): ClkReading {
  // Two lines of one header arrive joined by a comma from node:http, as a list from others.
  if (ambiguous || typeof text !== 'string' || text.includes(',')) return AMBIGUOUS
  const plain = encoded ? decodeMember(text) : text
  if (trimSpace(plain) === '') return UNTAGGED
  const clk = parseClk(plain)
  return clk === undefined ? INVALID : { clk, refused: undefined }
}
