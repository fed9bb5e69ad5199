import type { Stamp, Target } from '@waybill/core/adapter'
import { targetAgent } from '../node-http/target-agent.js'
import type { Dispatcher } from '../node-http/dispatcher.js'
import { targetDispatcher } from '../node-http/target-dispatcher.js'
import { HeaderLines, type HeaderLine } from '../node-http/header-lines.js'
import type { AxiosConfig } from './axios-shape.js'

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
  const { authority } = target ?? {}
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
  const dispatcher = config.fetchOptions?.['dispatcher']
  return {
    ...config,
    ...(target.path === undefined ? {} : atPath(url, target.path)),
    // axios follows no redirect itself here, so that only the agent of the URL's scheme is asked.
    httpAgent: agent,
    httpsAgent: agent,
    fetchOptions: {
      ...config.fetchOptions,
      dispatcher: targetDispatcher(target, dispatcher as Dispatcher | undefined),
    },
    proxy: false,
    socketPath: undefined,
    httpVersion: undefined,
  }
}

function atPath(url: URL, path: string): AxiosConfig {
  return { url: new URL(path, url.origin).href, baseURL: undefined, params: undefined }
}
