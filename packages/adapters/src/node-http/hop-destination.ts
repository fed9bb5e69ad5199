import type { DispatchOptions } from './dispatcher.js'

/** What a hop of undici is judged by. */
export interface HopDestination {
  readonly url: URL
  /** True for what is no path of the origin, the form for proxies and `*`. */
  readonly leaves: boolean
}

/**
 * The URL that a hop is judged by. The origin alone says to whom a hop goes; a path that begins with two slashes, or that
 * is itself a URL, would put another host in its place where it is resolved. What is no path of the origin leaves the fleet.
 */
export function hopDestination({ origin, path }: Pick<DispatchOptions, 'origin' | 'path'>): HopDestination {
  const isPath = path.startsWith('/')
  if (isPath && typeof origin === 'string') {
    // fetch says the origin as a URL says it: then one URL is parsed and not two.
    const url = new URL(origin + path)
    if (url.origin === origin) return { url, leaves: false }
  }
  const { origin: host } = new URL(origin ?? '')
  return isPath ? { url: new URL(host + path), leaves: false } : { url: new URL(host), leaves: true }
}
