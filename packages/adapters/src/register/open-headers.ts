import type { RequestOptions } from 'node:https'
import { headerLines } from '../node-http/header-lines.js'

/** Options of a request whose headers stay open until its body is begun. */
export interface OpenHeaders {
  readonly options: RequestOptions
  /** To be set on the request. */
  readonly expect: unknown
}

/**
 * node:http writes the headers of a request at once where they are a list, or where one of them is `Expect`. Such options are made
 * into others that mean the same on the wire, and that a tracer which knows no lists can write to.
 * @returns undefined for all other options, which stay as they are.
 */
export function openHeaders(options: RequestOptions): OpenHeaders | undefined {
  const headers: unknown = options.headers
  const isList = Array.isArray(headers)
  // A name without a value is node:http's to refuse.
  if (isList && !Array.isArray(headers[0]) && headers.length % 2 !== 0) return undefined
  const expects = !isList && Object.keys(headers ?? {}).find((name) => name.toLowerCase() === 'expect')
  if (!isList && expects === undefined) return undefined
  const record: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  const names = new Map<string, string>()
  let expect: unknown
  for (const [name, value] of headerLines(headers).lines) {
    const lower = name.toLowerCase()
    if (lower === 'expect') expect = value
    else {
      const known = names.get(lower) ?? name
      names.set(lower, known)
      record[known] = known in record ? [record[known], value].flat() : value
    }
  }
  return {
    options: {
      ...options,
      headers: record as RequestOptions['headers'],
      // What node:http adds to a record only.
      ...(isList ? { setHost: options.setHost ?? false, auth: undefined } : {}),
    },
    expect,
  }
}
