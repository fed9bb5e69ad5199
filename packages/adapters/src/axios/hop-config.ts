import type { ClientRequest } from 'node:http'
import type { Stamp, Target } from '@waybill/core/adapter'
import type { Dispatcher } from '../node-http/dispatcher.js'
import { HeaderLines, type HeaderLine } from '../node-http/header-lines.js'
import { targetAgent } from '../node-http/target-agent.js'
import { targetDispatcher } from '../node-http/target-dispatcher.js'
import type { AxiosConfig } from './axios-shape.js'
import type { Hop } from './redirect.js'

/**
 * The config of a later hop of a chain: what the redirect said, in place of what the application did.
 * @param first the URL with which the chain began: credentials are for its origin.
 */
export function laterHop(config: AxiosConfig, hop: Hop, first: URL, elapsedMs: number): AxiosConfig {
  const auth = config['auth'] ?? credentialsOf(first)
  return {
    ...config,
    ...timeLeft(config, elapsedMs),
    method: hop.method.toLowerCase(),
    url: hop.url.href,
    baseURL: undefined,
    params: undefined,
    auth: hop.url.origin === first.origin ? auth : undefined,
  }
}

function credentialsOf({ username, password }: URL): object | undefined {
  if (username === '' && password === '') return undefined
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) }
}

/** `timeout` is one for the whole chain. */
function timeLeft({ timeout, timeoutErrorMessage }: AxiosConfig, elapsedMs: number): AxiosConfig {
  if (timeout === undefined || timeout <= 0) return {}
  return {
    timeout: Math.max(1, Math.ceil(timeout - elapsedMs)),
    timeoutErrorMessage: timeoutErrorMessage ?? `timeout of ${String(timeout)}ms exceeded`,
  }
}

/** Follows no redirect: that is the chain's work. */
export function withoutRedirects(config: AxiosConfig): AxiosConfig {
  const transport = config['transport'] as
    { request(options: object, ...rest: unknown[]): ClientRequest } | undefined
  if (transport === undefined) return { ...config, maxRedirects: 0 }
  // axios leaves redirects to a transport of the application's own; this option is that of follow-redirects.
  return {
    ...config,
    transport: {
      request: (options: object, ...rest: unknown[]) =>
        transport.request({ ...options, followRedirects: false }, ...rest),
    },
  }
}

/** A copy of `config` with these header lines; the caller's own headers stay as they are. */
export function withHeaders(config: AxiosConfig, lines: readonly HeaderLine[]): AxiosConfig {
  // dispatchRequest has made them; the class is this axios's own.
  const AxiosHeaders = config.headers?.constructor as new (headers: unknown) => object
  return { ...config, headers: new AxiosHeaders(Object.fromEntries(lines)) }
}

/** The header lines of one attempt. */
export function stampedLines(
  lines: readonly HeaderLine[],
  stamp: Stamp,
  target: Target | undefined,
): HeaderLine[] {
  const authority = target?.authority
  if (authority === undefined) return new HeaderLines(lines).stamped(stamp)
  return [
    ...new HeaderLines(lines).stamped({ set: stamp.set, remove: [...stamp.remove, 'host'] }),
    ['Host', authority],
  ]
}

/**
 * Makes the connection of a config go to a target, whichever of axios's adapters sends it. Its URL stays the one that
 * was called, so that answers, errors and `Host` speak of the service.
 */
export function towards(config: AxiosConfig, url: URL, target: Target): AxiosConfig {
  const agent = targetAgent(url.protocol, target, { http: config.httpAgent, https: config.httpsAgent })
  const dispatcher = config.fetchOptions?.['dispatcher'] as Dispatcher | undefined
  return {
    ...config,
    ...(target.path === undefined ? {} : atPath(url, target.path)),
    // Only the agent of the URL's scheme is asked.
    httpAgent: agent,
    httpsAgent: agent,
    fetchOptions: { ...config.fetchOptions, dispatcher: targetDispatcher(target, dispatcher) },
    proxy: false,
    socketPath: undefined,
    // Its sessions of HTTP/2 are opened by name; there is no place to name a target.
    httpVersion: undefined,
  }
}

function atPath(url: URL, path: string): AxiosConfig {
  return { url: new URL(url.origin + path).href, baseURL: undefined, params: undefined }
}
