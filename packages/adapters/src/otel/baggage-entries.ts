import { baggageEntryMetadataFromString, propagation, type Baggage } from '@opentelemetry/api'

/** OpenTelemetry's own limits of a `baggage` header: characters, members. */
const MAX_LENGTH = 8192
const MAX_MEMBERS = 180

/** Reads members as OpenTelemetry's own propagator does: names and values decoded, properties kept as they are. */
export function parseEntries(text: string): Baggage {
  // Without a comma within the limit the first member does not fit, and nothing is read.
  const end = text.length <= MAX_LENGTH ? text.length : Math.max(text.lastIndexOf(',', MAX_LENGTH), 0)
  const entries = text
    .slice(0, end)
    .split(',')
    .slice(0, MAX_MEMBERS)
    .flatMap((member) => parseEntry(member) ?? [])
  // A member may bear the name of something that objects inherit.
  return propagation.createBaggage(Object.fromEntries(entries))
}

type Entry = Parameters<Baggage['setEntry']>

function parseEntry(member: string): [Entry] | undefined {
  const semicolon = member.indexOf(';')
  const pair = semicolon === -1 ? member : member.slice(0, semicolon)
  const equals = pair.indexOf('=')
  try {
    const key = decodeURIComponent(pair.slice(0, Math.max(equals, 0)).trim())
    if (key === '') return undefined
    const value = decodeURIComponent(pair.slice(equals + 1).trim())
    const properties = semicolon === -1 ? '' : member.slice(semicolon + 1)
    return [
      [key, properties === '' ? { value } : { value, metadata: baggageEntryMetadataFromString(properties) }],
    ]
  } catch {
    // An escape that cannot be decoded costs this member, not its neighbours.
    return undefined
  }
}

/** Writes entries as members, each whole, as long as they fit. */
export function formatEntries(baggage: Baggage): string {
  let text = ''
  for (const [key, { value, metadata }] of baggage.getAllEntries().slice(0, MAX_MEMBERS)) {
    const member = formatEntry(key, value, metadata?.toString())
    if (member === undefined || text.length + member.length + 1 > MAX_LENGTH) continue
    text = text === '' ? member : `${text},${member}`
  }
  return text
}

function formatEntry(key: string, value: string, properties: string | undefined): string | undefined {
  try {
    const pair = `${encodeURIComponent(key)}=${encodeURIComponent(value)}`
    return properties === undefined ? pair : `${pair};${properties}`
  } catch {
    // Half of a surrogate pair is no text; it costs this member alone.
    return undefined
  }
}
