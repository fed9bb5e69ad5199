import type { Heard } from './far-server.js'

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
 * The names of ours, headers and baggage members, that stand in a request, in order. Written from the documented wire
 * format, not with the kit's own codec.
 */
export function namesOfOurs(heard: Heard): readonly string[] {
  const headers = heard.rawHeaders
    .filter((_, index) => index % 2 === 0)
    .map((name) => name.toLowerCase())
    .filter((name) => HEADERS.has(name))
  const members = heard
    .lines('baggage')
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
