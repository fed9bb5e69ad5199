import type { AxiosConfig } from './axios-shape.js'
import type { Hop } from './redirect.js'

/** The fields from which node:http makes its request. */
const FIELDS = ['protocol', 'hostname', 'port', 'path'] as const

/**
 * Calls the application's `beforeRedirect` with what axios calls it with, and returns the hop as the hook left it. A hook
 * that throws ends the chain.
 */
export function beforeRedirect(
  config: AxiosConfig,
  next: Hop,
  before: Hop,
  response: { readonly headers: object; readonly status: number },
): Hop {
  const hook = config.beforeRedirect
  if (hook === undefined) return next
  const { url } = next
  const options: Record<string, unknown> = {
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    host: url.host,
    port: url.port === '' ? '' : Number(url.port),
    pathname: url.pathname,
    search: url.search,
    path: url.pathname + url.search,
    hash: url.hash,
    href: url.href,
    method: next.method,
    headers: Object.fromEntries(next.headers),
  }
  const asked = { ...options }
  hook(
    options,
    { headers: { ...response.headers }, statusCode: response.status },
    {
      url: before.url.href,
      method: before.method,
      headers: { Host: before.url.host, ...Object.fromEntries(before.headers) },
    },
  )
  return {
    url: changed(options, asked) ? urlOf(options) : url,
    method: String(options['method']),
    headers: Object.entries((options['headers'] ?? {}) as Record<string, unknown>),
    data: next.data,
  }
}

function changed(options: Record<string, unknown>, asked: Record<string, unknown>): boolean {
  return FIELDS.some((name) => options[name] !== asked[name])
}

function urlOf(options: Record<string, unknown>): URL {
  const [protocol = '', host = '', port = '', path = ''] = FIELDS.map((name) => textOf(options[name]))
  const url = new URL(`${protocol}//${host.includes(':') ? `[${host}]` : host}`)
  url.port = port
  // Resolved, a path that begins with two slashes would be another host.
  return new URL(path.startsWith('/') ? url.origin + path : `${url.origin}/${path}`)
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
