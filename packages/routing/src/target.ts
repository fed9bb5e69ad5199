import type { Call, Target } from '@waybill/core/adapter'
import type { Instance } from './instance.js'

/** Where an instance is called. Scheme and TLS name stay the service's, unless its metadata names an `authority`. */
export function instanceTarget(call: Call, instance: Instance, connectMs: number): Target {
  const { id, service, host, port, clks, zone, cell } = instance
  const authority = instance.metadata['authority']
  const path = pathOf(call, '')
  return {
    host,
    port,
    tls: call.url?.protocol === 'https:',
    connectMs,
    // Her process may stand at a breakpoint.
    ...(clks.length > 0 ? { keepAlive: false } : {}),
    instance: { id, service, clks, zone, cell },
    ...(path === undefined ? {} : { path }),
    ...(authority === undefined ? {} : { authority }),
  }
}

/** Where a service is called that no instance may serve: the baseline address that the configuration names. */
export function baselineTarget(call: Call, baseline: URL, connectMs: number): Target {
  const tls = baseline.protocol === 'https:'
  const path = pathOf(call, baseline.pathname.replace(/\/+$/, ''))
  return {
    host: baseline.hostname.replace(/^\[|\]$/g, ''),
    port: baseline.port === '' ? (tls ? 443 : 80) : Number(baseline.port),
    tls,
    connectMs,
    ...(call.service === undefined ? {} : { service: call.service.name }),
    ...(path === undefined ? {} : { path }),
  }
}

/** The path without a gateway's prefix and with the target's own; undefined where the URL's stays as it is. */
function pathOf({ url, prefix }: Call, base: string): string | undefined {
  if (url === undefined || (prefix === '' && base === '')) return undefined
  const rest = url.pathname.slice(prefix.length)
  return `${base}${rest.startsWith('/') ? rest : `/${rest}`}${url.search}`
}
