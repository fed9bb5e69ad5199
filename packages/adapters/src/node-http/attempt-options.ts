import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent, type RequestOptions } from 'node:https'
import type { Stamp, Target } from '@waybill/core/adapter'
import type { HeaderLine, HeaderLines } from './header-lines.js'
import { targetAgent } from './target-agent.js'

/** What one attempt of a call does otherwise than the application said. */
export interface Attempt {
  /** Of the URL that is called. */
  readonly protocol: string
  readonly path: string
  readonly target: Target | undefined
  readonly headers: readonly HeaderLine[]
}

/** The options of the real request. The application's own stay as they are. */
export function attemptOptions(said: RequestOptions, attempt: Attempt): RequestOptions {
  const { headers: given, signal: _signal, ...options } = said
  const { protocol, path, target } = attempt
  const sent = {
    ...options,
    // node:http puts no Host to a flat list of headers.
    setHost: options.setHost ?? !Array.isArray(given),
    headers: Object.fromEntries(attempt.headers) as never,
  }
  if (target === undefined) return sent
  const own =
    options.agent === false
      ? { http: new HttpAgent(), https: new HttpsAgent() }
      : { http: options.agent, https: options.agent }
  return {
    ...sent,
    agent: targetAgent(protocol, target, own),
    path: target.path ?? path,
    socketPath: undefined,
    createConnection: undefined,
  }
}

/** The headers of one attempt: stamped, and with the `Host` that a target asks for. */
export function stampedHeaders(target: Target | undefined, stamp: Stamp, lines: HeaderLines): HeaderLine[] {
  if (target?.authority === undefined) return lines.stamped(stamp)
  return [['Host', target.authority], ...lines.stamped({ ...stamp, remove: [...stamp.remove, 'host'] })]
}

/** The names, in lower case, on which the application has no say in such an attempt. */
export function stampedNames(target: Target | undefined, { set, remove }: Stamp): ReadonlySet<string> {
  const host = target?.authority === undefined ? [] : ['host']
  return new Set([...remove, ...set.map(([name]) => name.toLowerCase()), ...host])
}
