import { isIPv4, isIPv6 } from 'node:net'

/** Why a text is no address that an instance can be called at. */
export type AddressProblem = 'invalid' | 'link-local' | 'unspecified'

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
const MAX_HOST_LENGTH = 253

/**
 * One spelling for each host: lower case, IPv6 compressed and without brackets. Two views of one registry may
 * spell an address differently, and whether it is tagged is told by comparing addresses.
 */
export function parseHost(text: string): { host: string } | { problem: AddressProblem } {
  const lower = text.trim().toLowerCase()
  const bare = lower.startsWith('[') && lower.endsWith(']') ? lower.slice(1, -1) : lower
  if (isIPv4(bare)) return judgeIPv4(bare)
  // A zone id (fe80::1%eth0) names an interface of the machine that wrote it, so it means nothing elsewhere.
  if (isIPv6(bare) && !bare.includes('%')) return judgeIPv6(new URL(`http://[${bare}]`).hostname.slice(1, -1))
  const labels = bare.split('.')
  const last = labels.at(-1) as string
  // A numeric last label is read as an IPv4 address by URL parsers (2130706433 is 127.0.0.1).
  if (bare.length > MAX_HOST_LENGTH || /^(?:\d+|0x[0-9a-f]*)$/.test(last)) return { problem: 'invalid' }
  return labels.every((label) => LABEL.test(label)) ? { host: bare } : { problem: 'invalid' }
}

/** `host:port`, with brackets around IPv6. */
export function formatAddress(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** The same text for every spelling of one address: this machine has three for itself. */
export function comparableAddress(host: string, port: number): string {
  return formatAddress(host === '127.0.0.1' || host === '::1' ? 'localhost' : host, port)
}

/** Whether a text is `host` or `host:port`, as a Host header has it. */
export function isAuthority(text: string): boolean {
  const [whole, host = '', port = '1'] = /^(\[[^\s\]]*\]|[^\s:[\]]*)(?::(\d{1,5}))?$/.exec(text) ?? []
  return whole !== undefined && 'host' in parseHost(host) && Number(port) >= 1 && Number(port) <= 65_535
}

function judgeIPv4(host: string): { host: string } | { problem: AddressProblem } {
  if (host.startsWith('169.254.')) return { problem: 'link-local' }
  return host === '0.0.0.0' ? { problem: 'unspecified' } : { host }
}

function judgeIPv6(host: string): { host: string } | { problem: AddressProblem } {
  if (/^fe[89ab][0-9a-f]:/.test(host)) return { problem: 'link-local' }
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host)
  if (mapped) return judgeIPv4(mappedIPv4(mapped[1] as string, mapped[2] as string))
  return host === '::' ? { problem: 'unspecified' } : { host }
}

/** The IPv4 address in `::ffff:7f00:1`, as the URL parser writes it: one host, whichever way it is told. */
function mappedIPv4(...words: readonly string[]): string {
  return words
    .map((word) => parseInt(word, 16))
    .flatMap((word) => [word >> 8, word & 0xff])
    .join('.')
}
