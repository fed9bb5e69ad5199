import type { RequestOptions } from 'node:https'

const UNFIT_PATH = /[^\u0021-\u00ff]/
const METHOD = /^[\w!#$%&'*+.^`|~-]+$/

/** Where a request goes, as node:http reads its options. */
export interface Destination {
  /** Of the request: `http:` or `https:`. */
  readonly protocol: string
  readonly method: string
  readonly path: string
  /** The host that is connected to, as it was said. */
  readonly host: string
  /** What that host is asked for; undefined where no URL says it, or where the host is a proxy, asked for something else. */
  readonly url: URL | undefined
}

/** The members of an agent that decide where a request goes. */
interface DecidingAgent {
  readonly protocol?: string
  readonly defaultPort?: number
  readonly options?: { readonly host?: string; readonly port?: number | string }
}

/** To node:http what is empty was not said. */
type Said = string | number | false | null | undefined

/**
 * Where a request goes; undefined where node:http refuses it and has to say why. It is judged by the host that is
 * connected to, never by its path, which may come from outside.
 * @param protocol of the module that is called.
 */
export function destinationOf(options: RequestOptions, protocol: string): Destination | undefined {
  const agent = (typeof options.agent === 'object' ? options.agent : undefined) as
    DecidingAgent | null | undefined
  const scheme = said(options.protocol, protocol)
  // Which of both an agent of agent-base is for, it tells only where node:http itself asks.
  if (scheme !== protocol && scheme !== agent?.protocol) return undefined
  const path = String(said(options.path, '/'))
  const method: unknown = said(options.method, 'GET')
  if (UNFIT_PATH.test(path) || typeof method !== 'string' || !METHOD.test(method)) return undefined
  // An agent's own options go before those of the request.
  const host = firstSaid(agent?.options?.host, options.hostname, options.host, 'localhost')
  if (typeof host !== 'string') return undefined
  const port = firstSaid(agent?.options?.port, options.port, options.defaultPort, unusual(agent?.defaultPort))
  return { protocol: scheme, method: method.toUpperCase(), path, host, url: urlOf(scheme, host, port, path) }
}

function urlOf(scheme: string, host: string, port: Said, path: string): URL | undefined {
  // All else is meant for a proxy.
  if (!path.startsWith('/') && path !== '*') return undefined
  const address = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  const name = address.includes(':') ? `[${address}]` : address
  const origin = port ? `${scheme}//${name}:${String(port)}` : `${scheme}//${name}`
  const text = origin + (path === '*' ? '/' : path)
  // What a URL reads otherwise (`inventory#.example`) is another host than the one that is connected to.
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.hostname === name ? url : undefined
}

function said(value: string | null | undefined, otherwise: string): string {
  return value === '' ? otherwise : (value ?? otherwise)
}

function firstSaid(...said: readonly Said[]): Said {
  return said.find(Boolean)
}

/** Every agent has a port for its protocol; only another one says something. */
function unusual(port: number | undefined): number | undefined {
  return port === 80 || port === 443 ? undefined : port
}
