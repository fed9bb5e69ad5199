import type { RouteNote } from './call.js'
import { MAX_ROUTE_NOTE_BYTES, MAX_ROUTE_NOTES } from './limits.js'
import { printableText } from './printable-text.js'

const NOT_IN_WORD = /[^A-Za-z0-9_.:@*/[\]-]/g
// Names, who served, and words in capitals: an address has a place of its own, where it can be taken out.
const ENTRY = /^[A-Za-z0-9_./-]+=@?[A-Za-z0-9_.*-]*(?:;(?:[A-Z][A-Z_]*|at=[A-Za-z0-9_.:[\]-]+))+$/

/**
 * One entry of the `waybill-route` reply header: `inventory=alice;TAG_EXACT;TAG_UNREACHABLE;at=127.0.0.1:4001`.
 * What could break the list is left out of each word.
 */
export function formatNote(note: RouteNote, withAddresses: boolean): string {
  const parts = [`${word(note.service)}=${word(note.served)}`, word(note.reason), ...note.notes.map(word)]
  if (withAddresses && note.at !== undefined) parts.push(`at=${word(note.at)}`)
  return parts.join(';')
}

/**
 * What a callee told, each entry behind the callee's name, so that the list is a tree; what is no entry is left out.
 * Addresses are taken out where whoever asked may not know them.
 */
export function prefixNotes(service: string, told: string | undefined, withAddresses: boolean): string {
  const text = printableText(told, MAX_ROUTE_NOTE_BYTES)
  if (text === undefined) return ''
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => ENTRY.test(entry))
    .map((entry) => `${service}/${withAddresses ? entry : entry.replace(/;at=[^;]*/g, '')}`)
    .join(', ')
}

/** A reply's list with more entries, as long as it stays within 32 entries and 2 KiB; what does not fit is left out. */
export function appendNotes(list: string | undefined, entries: string): string {
  let text = list ?? ''
  let count = text === '' ? 0 : text.split(',').length
  for (const entry of entries.split(',')) {
    const one = entry.trim()
    if (one === '') continue
    if (count === MAX_ROUTE_NOTES || text.length + one.length + 2 > MAX_ROUTE_NOTE_BYTES) break
    text = text === '' ? one : `${text}, ${one}`
    count++
  }
  return text
}

function word(text: string): string {
  return text.replace(NOT_IN_WORD, '').slice(0, 128)
}
