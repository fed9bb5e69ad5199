import { MAX_BAGGAGE_BYTES, MAX_BAGGAGE_MEMBERS } from './limits.js'

/**
 * The text of the W3C `baggage` header: `key=value;property, …`. This file alone knows it.
 * Names of ours are told by a {@link MemberNames}; all else is foreign and stays as it is, byte for byte.
 */

/** Which members are ours, by their normal name (decoded, lower case), and the slot in which each is collected. */
export type MemberNames = ReadonlyMap<string, number>

/** What one pass over a header found. */
export interface BaggageScan {
  /** The raw value by slot; properties cut off, not yet decoded. */
  readonly values: (string | undefined)[]
  /** True by slot where a member came twice with different values. */
  readonly ambiguous: (true | undefined)[]
  /** True where any member of ours was met. */
  readonly own: boolean
  /** Members beyond the limits, not looked at. */
  readonly beyond: number
}

const NEEDS_NORMALISING = /[%A-Z]/

/** Collects the members of ours in one pass that stops at 64 members or 8192 bytes. Bytes are the header's characters. */
export function scanBaggage(text: string, names: MemberNames): BaggageScan {
  const values: (string | undefined)[] = []
  const ambiguous: (true | undefined)[] = []
  let own = false
  let members = 0
  let start = 0
  while (start < text.length) {
    const comma = text.indexOf(',', start)
    const end = comma === -1 ? text.length : comma
    if (end > MAX_BAGGAGE_BYTES || members === MAX_BAGGAGE_MEMBERS) break
    const equals = end === start ? -1 : text.indexOf('=', start)
    if (equals !== -1 && equals < end) {
      const slot = slotOf(text.slice(start, equals), names)
      if (slot !== undefined) {
        own = true
        const semicolon = text.indexOf(';', equals)
        const value = text.slice(equals + 1, semicolon !== -1 && semicolon < end ? semicolon : end).trim()
        const before = values[slot]
        if (before === undefined) values[slot] = value
        else if (before !== value) ambiguous[slot] = true
      }
    }
    if (end > start) members++
    start = end + 1
  }
  return { values, ambiguous, own, beyond: start < text.length ? countMembers(text, start) : 0 }
}

/** The members that are not ours, each as it stands, in order. `removed` counts the others. */
export function foreignMembers(
  text: string,
  names: MemberNames,
): { readonly members: readonly string[]; readonly removed: number } {
  const members: string[] = []
  let removed = 0
  for (const part of text.split(',')) {
    const member = part.trim()
    if (member === '') continue
    const equals = member.indexOf('=')
    const semicolon = member.indexOf(';')
    const nameEnd = equals === -1 ? (semicolon === -1 ? member.length : semicolon) : equals
    if (slotOf(member.slice(0, nameEnd), names) === undefined) members.push(member)
    else removed++
  }
  return { members, removed }
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
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function slotOf(name: string, names: MemberNames): number | undefined {
  const trimmed = name.trim()
  const slot = names.get(trimmed)
  if (slot !== undefined || !NEEDS_NORMALISING.test(trimmed)) return slot
  // `%63lk` is a foreign member here and comes back as clk behind a hop that decodes and writes names anew.
  return names.get(decodeMember(trimmed).trim().toLowerCase())
}

function countMembers(text: string, start: number): number {
  let count = 1
  for (let at = text.indexOf(',', start); at !== -1; at = text.indexOf(',', at + 1)) count++
  return count
}
