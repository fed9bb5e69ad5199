import { decodeEscapes } from './decode-escapes.js'
import { MAX_BAGGAGE_BYTES, MAX_BAGGAGE_MEMBERS } from './limits.js'
import { trimSpace } from './trim-space.js'

/**
 * The text of the W3C `baggage` header: `key=value;property, …`. This file alone knows it.
 * Names of ours are told by a {@link MemberNames}; all else is foreign and stays as it is, byte for byte.
 */

/**
 * Which members are ours, by their normal name (decoded, lower case), and the slot in which each is collected.
 * All names that begin with `waybill-` are ours too: a later version may give them a meaning.
 */
export type MemberNames = ReadonlyMap<string, number>

/** The slot of members that are ours and not read. */
export const UNREAD_SLOT = -1

const RESERVED_PREFIX = 'waybill-'

/** What one pass over a header found. */
export interface BaggageScan {
  /** The raw value by slot; properties cut off, not yet decoded. */
  readonly values: (string | undefined)[]
  /** True by slot where a member came twice with different values. */
  readonly ambiguous: (true | undefined)[]
  /** True where any member of ours was met. */
  readonly own: boolean
  /** Members beyond the limits, not read. */
  readonly beyond: number
}

const NEEDS_NORMALISING = /[%A-Z]/

/**
 * Collects the members of ours in one pass that stops at 64 members or 8192 bytes. Bytes are the header's characters;
 * an empty list entry is no member, one without a value is.
 */
export function scanBaggage(header: string, names: MemberNames): BaggageScan {
  // Nothing below looks past the limit, however long the header: a member that reaches beyond it is not whole.
  const text = header.length > MAX_BAGGAGE_BYTES ? header.slice(0, MAX_BAGGAGE_BYTES + 1) : header
  const values: (string | undefined)[] = []
  const ambiguous: (true | undefined)[] = []
  let own = false
  let members = 0
  let start = 0
  while (start < text.length) {
    const comma = text.indexOf(',', start)
    const end = comma === -1 ? text.length : comma
    if (end > MAX_BAGGAGE_BYTES) break
    if (!isBlank(text, start, end)) {
      if (members === MAX_BAGGAGE_MEMBERS) break
      members++
      const equals = text.indexOf('=', start)
      if (equals !== -1 && equals < end) {
        const slot = slotOf(text.slice(start, equals), names)
        if (slot !== undefined) {
          own = true
          if (slot !== UNREAD_SLOT) {
            const semicolon = text.indexOf(';', equals)
            const valueEnd = semicolon !== -1 && semicolon < end ? semicolon : end
            const value = trimSpace(text.slice(equals + 1, valueEnd))
            const before = values[slot]
            if (before === undefined) values[slot] = value
            else if (before !== value) ambiguous[slot] = true
          }
        }
      }
    }
    start = end + 1
  }
  return { values, ambiguous, own, beyond: start < header.length ? countMembers(header, start) : 0 }
}

/** All members of a header, each as it stands, in order: ours and those that are not. */
export function siftMembers(
  text: string,
  names: MemberNames,
): { readonly own: readonly string[]; readonly foreign: readonly string[] } {
  const own: string[] = []
  const foreign: string[] = []
  for (const part of text.split(',')) {
    const member = trimSpace(part)
    if (member === '') continue
    const list = slotOf(member.slice(0, nameEnd(member)), names) === undefined ? foreign : own
    list.push(member)
  }
  return { own, foreign }
}

/** The members of a header whose names are not among the given members: what a tracer adds to what a caller has put there. */
export function membersBeside(members: readonly string[], text: string): readonly string[] {
  const nameOf = (member: string): string => decodeMember(member.slice(0, nameEnd(member)).trim())
  const taken = new Set(members.map(nameOf))
  return text.split(',').filter((member) => member !== '' && !taken.has(nameOf(member)))
}

/**
 * Own members first, then the others in order, each whole, as long as they fit into 64 members and 8192 bytes;
 * one that does not fit is left out and counted, and the next is tried.
 */
export function joinBaggage(
  own: readonly string[],
  others: readonly string[],
): { readonly text: string; readonly omitted: number } {
  let text = ''
  let members = 0
  let omitted = 0
  for (const list of [own, others]) {
    for (const member of list) {
      const bytes = text.length + member.length + (members === 0 ? 0 : 1)
      if (members === MAX_BAGGAGE_MEMBERS || bytes > MAX_BAGGAGE_BYTES) omitted++
      else {
        text = members === 0 ? member : `${text},${member}`
        members++
      }
    }
  }
  return { text, omitted }
}

/** The value of a member, decoded for a look at it; the raw text where it cannot be decoded. */
export function decodeMember(text: string): string {
  return decodeEscapes(text) ?? text
}

function nameEnd(member: string): number {
  const equals = member.indexOf('=')
  const semicolon = member.indexOf(';')
  if (equals === -1) return semicolon === -1 ? member.length : semicolon
  return semicolon === -1 ? equals : Math.min(equals, semicolon)
}

function slotOf(name: string, names: MemberNames): number | undefined {
  // Every Unicode space goes here: other hops' parsers trim by it, and `\u00a0clk` would come back as clk.
  const trimmed = name.trim()
  const slot = knownSlot(trimmed, names)
  if (slot !== undefined || !NEEDS_NORMALISING.test(trimmed)) return slot
  // `%63lk` is a foreign member here and comes back as clk behind a hop that decodes and writes names anew.
  return knownSlot(decodeMember(trimmed).trim().toLowerCase(), names)
}

function knownSlot(name: string, names: MemberNames): number | undefined {
  return names.get(name) ?? (name.startsWith(RESERVED_PREFIX) ? UNREAD_SLOT : undefined)
}

function countMembers(text: string, start: number): number {
  let count = 0
  for (let at = start; at < text.length;) {
    const comma = text.indexOf(',', at)
    const end = comma === -1 ? text.length : comma
    if (!isBlank(text, at, end)) count++
    at = end + 1
  }
  return count
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x09) return false
  }
  return true
}
