/** Headers as node:http gives them, of a request or of a message. */
export interface RawHeaders {
  /** Name, value, name, value, … */
  readonly rawHeaders: readonly string[]
  /** All values of one header, in order; the name in lower case. */
  readonly lines: (name: string) => readonly string[]
}

const HEADERS = new Set(['clk', 'x-shard-key', 'x-hop-count', 'x-target-unit', 'waybill-explain'])
const MEMBERS = new Set([
  'clk',
  'shard-key',
  'hop-count',
  'target-unit',
  'waybill-depth',
  'law-tenant',
  'lawnote',
])

/**
 * The names of ours, headers and baggage members, that stand in a request or a message, in order. Written from the documented wire
 * format, not with the kit's own codec.
 */
export function namesOfOurs({ rawHeaders, lines }: RawHeaders): readonly string[] {
  const headers = rawHeaders
    .filter((_, index) => index % 2 === 0)
    .map((name) => name.toLowerCase())
    .filter((name) => HEADERS.has(name))
  const members = lines('baggage')
    .flatMap((line) => line.split(','))
    .map((member) =>
      decoded(member.split(/[=;]/, 1)[0] ?? '')
        .trim()
        .toLowerCase(),
    )
    .filter((name) => MEMBERS.has(name))
  return [...headers, ...members]
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
