import type { HeaderLine } from '../node-http/header-lines.js'

/** What one request of a redirect chain says. */
export interface Hop {
  readonly url: URL
  /** Upper case. */
  readonly method: string
  readonly headers: readonly HeaderLine[]
  readonly data: unknown
}

/** Names in lower case, beside `authorization` and `cookie`, that may not follow a redirect to another origin. */
export type SensitiveNames = ReadonlySet<string>

/** True for an answer that sends the client elsewhere. */
export function isRedirect(status: number, location: string | undefined): location is string {
  return status >= 300 && status < 400 && location !== undefined && location !== ''
}

/**
 * The request that a redirect asks for, by the rules that axios has over node:http (RFC 9110, 15.4; the package
 * follow-redirects): POST becomes GET at 301 and 302, everything but HEAD at 303; the host is the new one's; what
 * proves who the caller is stays with the origin that it was meant for.
 * @throws TypeError for a location that is no http or https URL.
 */
export function redirectedHop(hop: Hop, status: number, location: string, sensitive: SensitiveNames): Hop {
  const url = new URL(location, hop.url)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError(`Unsupported protocol ${url.protocol}`)
  }
  url.username = url.password = ''
  if (url.hash === '') url.hash = hop.url.hash
  const becomesGet =
    ((status === 301 || status === 302) && hop.method === 'POST') ||
    (status === 303 && hop.method !== 'GET' && hop.method !== 'HEAD')
  const sameOrigin = url.origin === hop.url.origin
  return {
    url,
    method: becomesGet ? 'GET' : hop.method,
    data: becomesGet ? undefined : hop.data,
    headers: hop.headers.filter(([name]) => {
      const lower = name.toLowerCase()
      if (lower === 'host' || lower === 'proxy-authorization') return false
      if (becomesGet && lower.startsWith('content-')) return false
      return sameOrigin || (lower !== 'authorization' && lower !== 'cookie' && !sensitive.has(lower))
    }),
  }
}
