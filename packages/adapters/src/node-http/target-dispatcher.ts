import type { Target } from '@waybill/core/adapter'
import { boundConnect } from './connect-bound.js'
import { globalDispatcher, type DispatchOptions, type Dispatcher } from './dispatcher.js'
import { headerLines, stampedLike } from './header-lines.js'

/**
 * A dispatcher that sends each hop to `target` by way of another one, whose TLS options and limits it uses. undici pools
 * by origin, so the target stands there, and the service in `Host`, which undici takes for the TLS name, too.
 * @param by what the application named; default is what fetch uses itself.
 */
export function targetDispatcher(target: Target, by: Dispatcher = globalDispatcher()): Dispatcher {
  const direct = withoutEnvironmentProxy(by)
  return {
    dispatch(options, handler) {
      const hop = towards(target, options)
      return boundConnect(target, hop.origin, handler, (bound) => direct.dispatch(hop, bound))
    },
  }
}

function towards(target: Target, options: DispatchOptions): DispatchOptions & { readonly origin: string } {
  const { host, port, tls, path, authority } = target
  const lines = headerLines(options.headers)
  const name = authority ?? lines.get('host') ?? new URL(options.origin ?? '').host
  return {
    ...options,
    origin: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${String(port)}`,
    path: path ?? options.path,
    headers: stampedLike(options.headers, lines, { set: [['host', name]], remove: [] }),
    ...(target.keepAlive === false ? { reset: true } : {}),
  }
}

const directOf = new WeakMap<Dispatcher, Dispatcher>()

/** A call with a target bypasses the environment's proxies; one that the application names itself it does not. */
function withoutEnvironmentProxy(by: Dispatcher): Dispatcher {
  let direct = directOf.get(by)
  if (direct === undefined) directOf.set(by, (direct = agentOfNoProxy(by) ?? by))
  return direct
}

/**
 * What undici's `EnvHttpProxyAgent` keeps for hosts of NO_PROXY, with the application's options; undefined for any other
 * dispatcher. It is told by the symbol, since a bundler that minifies renames the class.
 */
function agentOfNoProxy(by: Dispatcher): Dispatcher | undefined {
  const symbol = Object.getOwnPropertySymbols(by).find(({ description }) => description === 'no proxy agent')
  return symbol && (by as unknown as Record<symbol, Dispatcher>)[symbol]
}
