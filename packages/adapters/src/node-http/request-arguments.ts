import type { ClientRequestArgs, IncomingMessage } from 'node:http'
import type { RequestOptions } from 'node:https'
import { urlToHttpOptions } from 'node:url'

/** Called with the answer. */
export type OnResponse = (response: IncomingMessage) => void

/** What `http.request` was called with, in any of its forms: one record of options that is ours, and the callback. */
export interface RequestArguments {
  readonly options: RequestOptions
  readonly onResponse: OnResponse | undefined
}

/** @throws what node:http throws for a text that is no URL. */
export function requestArguments(args: readonly unknown[]): RequestArguments {
  const [first, ...rest] = args
  const withUrl = typeof first === 'string' || first instanceof URL
  const [options, onResponse] = withUrl && typeof rest[0] !== 'function' ? rest : [undefined, rest[0]]
  return {
    // Inherited options count for node:http, too: it merges by `{ ...input, ...options }` only where there is a URL.
    options: withUrl
      ? { ...urlToHttpOptions(new URL(first)), ...(options as ClientRequestArgs | undefined) }
      : { ...(first as RequestOptions) },
    onResponse: onResponse as OnResponse | undefined,
  }
}

const UNFIT_PATH = /[^\u0021-\u00ff]/
const METHOD = /^[\w!#$%&'*+.^`|~-]+$/

/**
 * The URL that a request means; undefined where node:http has to say what is wrong with it. A path in absolute form goes
 * to a proxy: then it is the path that says what is meant.
 * @param protocol of the module that is called.
 */
export function urlOf(options: RequestOptions, protocol: string): URL | undefined {
  const { hostname, host, port, defaultPort, agent, method, path } = options
  const agents = typeof agent === 'object' ? (agent as { protocol?: string }).protocol : undefined
  const scheme = options.protocol ?? agents ?? protocol
  if (scheme !== (agents ?? protocol)) return undefined
  if (UNFIT_PATH.test(path ?? '/') || !METHOD.test(method ?? 'GET')) return undefined
  const name = (hostname ?? host ?? 'localhost').replace(/^\[|\]$/g, '')
  const number = port ?? defaultPort ?? ''
  const origin = `${scheme}//${name.includes(':') ? `[${name}]` : name}${number === '' ? '' : `:${String(number)}`}`
  const text = /^https?:\/\//i.test(path ?? '')
    ? String(path)
    : origin + (path?.startsWith('/') === true ? path : '/')
  return URL.canParse(text) ? new URL(text) : undefined
}
