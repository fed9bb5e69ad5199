import type { Instance } from '../../instance.js'

/**
 * True where a record says, word for word, what was read from an earlier one, so that it need not be read again: it has
 * the same fields, no others, and each in its normal form. False says nothing; then it is read.
 */
export function isSameRecord(raw: unknown, known: Instance): boolean {
  if (raw === known) return true
  if (typeof raw !== 'object' || raw === null) return false
  const record = raw as Partial<Record<keyof Instance, unknown>>
  return (
    record.id === known.id &&
    record.environment === known.environment &&
    record.service === known.service &&
    record.host === known.host &&
    record.port === known.port &&
    record.cell === known.cell &&
    record.zone === known.zone &&
    record.owner === known.owner &&
    record.weight === known.weight &&
    record.enabled === known.enabled &&
    isSameList(record.clks, known.clks) &&
    isSameMapping(record.metadata, known.metadata) &&
    // Each of the known ones is there, so as many are no others.
    Object.keys(record).length === Object.keys(known).length
  )
}

function isSameList(raw: unknown, known: readonly string[]): boolean {
  return (
    raw === known ||
    (Array.isArray(raw) && raw.length === known.length && known.every((each, at) => raw[at] === each))
  )
}

function isSameMapping(raw: unknown, known: Readonly<Record<string, string>>): boolean {
  if (raw === known) return true
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return false
  const names = Object.keys(known)
  return (
    names.length === Object.keys(raw).length &&
    names.every((name) => (raw as Record<string, unknown>)[name] === known[name])
  )
}
