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
  const withUrl = typeof first === 'string' || isUrl(first)
  const [options, onResponse] = withUrl && typeof rest[0] !== 'function' ? rest : [undefined, rest[0]]
  return {
    // Inherited options count for node:http, too: it merges by `{ ...input, ...options }` only where there is a URL.
    options: withUrl
      ? {
          ...urlToHttpOptions(typeof first === 'string' ? new URL(first) : first),
          ...(options as ClientRequestArgs | undefined),
        }
      : { ...(first as RequestOptions) },
    onResponse: onResponse as OnResponse | undefined,
  }
}

/** As node:http tells a URL, of whatever realm or package, from the record of the older `url.parse`. */
function isUrl(value: unknown): value is URL {
  const { href, protocol, auth, path } = (value ?? {}) as Readonly<Record<string, unknown>>
  return Boolean(href) && Boolean(protocol) && auth === undefined && path === undefined
}
