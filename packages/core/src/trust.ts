import { BlockList, isIP } from 'node:net'
import { WaybillError } from './errors.js'
import { textList } from './text-list.js'

/** Who is believed by a listener: nobody, the entry of a shared test environment, or peers of the fleet. */
export type Inbound = 'public' | 'edge' | 'peer'

/** A socket, as far as it says who is on the other side. A forwarded header never does. */
export interface PeerSocket {
  readonly remoteAddress?: string | undefined
  readonly localAddress?: string | undefined
  readonly destroyed?: boolean
  /** True on a TLS socket whose client certificate was verified. */
  readonly authorized?: boolean
  getPeerCertificate?():
    { readonly subjectaltname?: string; readonly subject?: { readonly CN?: unknown } } | undefined
}

/** What a connection proves: named by `trust.peers`, within the default ranges, or neither. */
export type PeerStanding = 'listed' | 'default' | 'stranger'

const MAX_REMEMBERED = 1000

const DEFAULT_RANGES = ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']

/**
 * Judges peers by the socket alone. `trust.peers` holds CIDR ranges or addresses, `tls:NAME` for a name in a verified
 * client certificate (`tls:*.fleet.example` for one label in front), and `unix` for Unix domain sockets.
 */
export class PeerJudge {
  readonly #standing: Exclude<PeerStanding, 'stranger'>
  readonly #ranges: BlockList
  readonly #tlsNames: readonly string[]
  readonly #unix: boolean
  // One look per connection, not per request: addresses repeat. Bounded, since they come from outside.
  readonly #byAddress = new Map<string, PeerStanding>()
  // Reading a certificate costs far more than a look here; only where `trust.peers` has TLS names.
  readonly #bySocket = new WeakMap<PeerSocket, boolean>()

  /** @throws WaybillError ERR_WAYBILL_CONFIGURATION naming the entry that is none of these. */
  constructor(peers: readonly string[] | undefined) {
    this.#standing = peers === undefined ? 'default' : 'listed'
    const entries = peers === undefined ? DEFAULT_RANGES : textList('trust.peers', peers)
    this.#ranges = rangesOf(entries.filter((entry) => entry !== 'unix' && !isTlsName(entry)))
    this.#tlsNames = entries.filter(isTlsName).map((entry) => entry.slice(4).toLowerCase())
    this.#unix = peers === undefined || entries.includes('unix')
  }

  standing(socket: PeerSocket | undefined): PeerStanding {
    if (socket === undefined) return 'stranger'
    const address = socket.remoteAddress
    if (address === undefined) {
      // A Unix domain socket has no address at either end. A TCP socket that is destroyed, or was reset by the other
      // side a moment ago, has none at the far end any more, and must not pass as one.
      const isUnix = socket.destroyed === false && socket.localAddress === undefined
      return this.#unix && isUnix ? this.#standing : 'stranger'
    }
    const known = this.#byAddress.get(address)
    const standing = known ?? this.#judgeAddress(address)
    return standing === 'stranger' && this.#tlsNames.length > 0 && this.#provesName(socket)
      ? 'listed'
      : standing
  }

  #judgeAddress(address: string): PeerStanding {
    const standing = contains(this.#ranges, address) ? this.#standing : 'stranger'
    if (this.#byAddress.size >= MAX_REMEMBERED) this.#byAddress.clear()
    this.#byAddress.set(address, standing)
    return standing
  }

  #provesName(socket: PeerSocket): boolean {
    if (socket.authorized !== true) return false
    const known = this.#bySocket.get(socket)
    if (known !== undefined) return known
    const names = dnsNames(socket.getPeerCertificate?.()?.subjectaltname ?? '')
    const proves = names.some((name) => this.#tlsNames.some((pattern) => matchesName(pattern, name)))
    this.#bySocket.set(socket, proves)
    return proves
  }
}

const LOOPBACK = rangesOf(['127.0.0.0/8', '::1/128'])

/** True for an address of this machine's loopback interface, in whatever notation a socket gives it. */
export function isLoopback(address: string | undefined): boolean {
  return address !== undefined && contains(LOOPBACK, address)
}

function isTlsName(entry: string): boolean {
  return /^tls:(?:\*\.)?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/.test(entry)
}

function dnsNames(subjectAltName: string): string[] {
  // Node quotes a name that holds what could pass as a list (CVE-2021-44532); no name of ours needs quotes.
  return subjectAltName
    .replace(/"(?:[^"\\]|\\.)*"/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name.startsWith('DNS:'))
    .map((name) => name.slice(4).toLowerCase())
}

function matchesName(pattern: string, name: string): boolean {
  if (!pattern.startsWith('*.')) return pattern === name
  const dot = name.indexOf('.')
  return dot > 0 && name.slice(dot + 1) === pattern.slice(2)
}

function contains(ranges: BlockList, address: string): boolean {
  const zoned = address.indexOf('%')
  const plain = zoned === -1 ? address : address.slice(0, zoned)
  const family = isIP(plain)
  return family !== 0 && ranges.check(plain, family === 6 ? 'ipv6' : 'ipv4')
}

function rangesOf(entries: readonly string[]): BlockList {
  const ranges = new BlockList()
  for (const entry of entries) {
    const match = /^([0-9A-Fa-f.:]+)(?:\/(\d{1,3}))?$/.exec(entry)
    const family = isIP(match?.[1] ?? '')
    const bits = family === 6 ? 128 : 32
    const prefix = Number(match?.[2] ?? bits)
    if (match?.[1] === undefined || family === 0 || prefix > bits) {
      throw new WaybillError('ERR_WAYBILL_CONFIGURATION', {
        option: 'trust.peers',
        variable: 'WAYBILL_PEERS',
        entry,
        problem: 'no address or CIDR range, tls:NAME or unix',
      })
    }
    ranges.addSubnet(match[1], prefix, family === 6 ? 'ipv6' : 'ipv4')
  }
  return ranges
}
