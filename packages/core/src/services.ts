import { WaybillError } from './errors.js'
import { textList } from './text-list.js'

/** How a caller's kit treats one service: its own configuration alone, never what a provider asks for. */
export interface ServiceOptions {
  /**
   * Hosts that mean this service: a name (`inventory`), `host:port`, or a URL whose path prefix belongs to a gateway
   * (`http://gw.internal/inventory/`). `{service}` stands for the service's name. Default: the name itself.
   */
  readonly hosts?: readonly string[]
  /** Address for calls that no registered instance may serve, e.g. `http://inventory.ci.svc:8080`. */
  readonly baseline?: string
  /** What may serve where no instance has the request's tag. Default `baseline`. */
  readonly policy?: ServicePolicy
  /** True: only the cell that owns the shard key may serve. Default false. */
  readonly cellBound?: boolean
}

/** `baseline`: untagged ones anywhere; `zone-only`: only in the preferred zone; `strict`: none. */
export type ServicePolicy = 'baseline' | 'zone-only' | 'strict'

/** A service as a call sees it. */
export interface ServiceSettings {
  readonly name: string
  /** True where `services` names it; false for a bare host name that is taken for a service. */
  readonly listed: boolean
  readonly baseline: URL | undefined
  readonly policy: ServicePolicy
  readonly cellBound: boolean
}

/** Where a URL leads. */
export interface Destination {
  readonly service: ServiceSettings | undefined
  /** Path prefix of a gateway, without the slash at its end; empty where there is none. */
  readonly prefix: string
  /** True for a service or a host of `trust.outbound`. */
  readonly fleet: boolean
}

interface ListedHost {
  readonly service: ServiceSettings
  readonly protocol: string | undefined
  readonly prefix: string
}

const NOWHERE: Destination = { service: undefined, prefix: '', fleet: false }
const OUTBOUND: Destination = { service: undefined, prefix: '', fleet: true }
const BARE_NAME = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/
const MAX_REMEMBERED = 1000

/**
 * Decides which host is a service, by configuration alone: a listed one, or any host name without dot or port that is
 * neither `localhost` nor in `trust.notServices`.
 */
export class Services {
  readonly #hosts = new Map<string, ListedHost[]>()
  readonly #listed = new Map<string, ServiceSettings>()
  readonly #bare = new Map<string, Destination>()
  readonly #outbound: readonly string[]
  readonly #notServices: ReadonlySet<string>

  /** @throws WaybillError ERR_WAYBILL_CONFIGURATION naming the option and the entry. */
  constructor(
    services: Readonly<Record<string, ServiceOptions>>,
    outbound: readonly string[],
    notServices: readonly string[],
  ) {
    this.#outbound = textList('trust.outbound', outbound).map(checkPattern)
    this.#notServices = new Set(
      ['localhost', ...textList('trust.notServices', notServices)].map((name) => name.toLowerCase()),
    )
    for (const [key, options] of Object.entries(services)) this.#list(key.toLowerCase(), options)
  }

  /** Where this URL leads. */
  resolve(url: URL): Destination {
    const listed = this.#hosts.get(url.host)
    if (listed !== undefined) {
      for (const { service, protocol, prefix } of listed) {
        const fits = prefix === '' || url.pathname === prefix || url.pathname.startsWith(`${prefix}/`)
        if (fits && (protocol === undefined || protocol === url.protocol))
          return { service, prefix, fleet: true }
      }
    }
    if (url.port === '' && BARE_NAME.test(url.hostname) && !this.#notServices.has(url.hostname)) {
      return this.#bareName(url.hostname)
    }
    return this.#outbound.some((pattern) => matchesHost(pattern, url)) ? OUTBOUND : NOWHERE
  }

  /** A service by its name, for kinds of call that have no URL. */
  named(name: string): ServiceSettings {
    return this.#listed.get(name) ?? unlisted(name)
  }

  #bareName(name: string): Destination {
    const known = this.#bare.get(name)
    if (known !== undefined) return known
    const destination: Destination = { service: this.named(name), prefix: '', fleet: true }
    if (this.#bare.size >= MAX_REMEMBERED) this.#bare.clear()
    this.#bare.set(name, destination)
    return destination
  }

  #list(name: string, options: ServiceOptions): void {
    const option = `services.${name}`
    if (!BARE_NAME.test(name)) throw refused(option, name, 'no name for a service')
    if (typeof (options as unknown) !== 'object')
      throw refused(option, typeof options, 'no object of options')
    if (options.policy !== undefined && !['baseline', 'zone-only', 'strict'].includes(options.policy)) {
      throw refused(`${option}.policy`, options.policy, 'one of baseline, zone-only, strict')
    }
    const service: ServiceSettings = {
      name,
      listed: true,
      baseline: options.baseline === undefined ? undefined : parseUrl(`${option}.baseline`, options.baseline),
      policy: options.policy ?? 'baseline',
      cellBound: options.cellBound ?? false,
    }
    this.#listed.set(name, service)
    for (const entry of textList(`${option}.hosts`, options.hosts ?? [name])) {
      const text = entry.replaceAll('{service}', name)
      const withScheme = /^https?:\/\//i.test(text)
      // A URL drops the default port of its scheme, so a port that is one says which scheme is meant.
      const port = /:(80|443)(?:\/|$)/.exec(text)?.[1]
      const url = parseUrl(
        `${option}.hosts`,
        withScheme ? text : `${port === '443' ? 'https' : 'http'}://${text}`,
      )
      const host: ListedHost = {
        service,
        protocol: withScheme || port !== undefined ? url.protocol : undefined,
        prefix: url.pathname.replace(/\/+$/, ''),
      }
      const others = this.#hosts.get(url.host) ?? []
      const taken = others.find((other) => other.prefix === host.prefix && overlap(other, host))
      if (taken !== undefined && taken.service.name !== name) {
        throw refused(`${option}.hosts`, entry, `a host of ${taken.service.name} already`)
      }
      // The longest prefix is asked first.
      this.#hosts.set(
        url.host,
        [...others, host].sort((a, b) => b.prefix.length - a.prefix.length),
      )
    }
  }
}

function unlisted(name: string): ServiceSettings {
  return { name, listed: false, baseline: undefined, policy: 'baseline', cellBound: false }
}

/** True if one URL may mean both. */
function overlap(one: ListedHost, other: ListedHost): boolean {
  return one.protocol === undefined || other.protocol === undefined || one.protocol === other.protocol
}

/** `*.internal` means any host below `internal`; a pattern without a port means all of its ports. */
function matchesHost(pattern: string, url: URL): boolean {
  const port = /:\d+$/.test(pattern)
  // A URL leaves out the default port of its scheme; a pattern may say it.
  const host = port ? `${url.hostname}:${url.port || defaultPort(url)}` : url.hostname
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
}

function defaultPort(url: URL): string {
  return url.protocol === 'https:' ? '443' : '80'
}

function checkPattern(pattern: string): string {
  if (typeof pattern === 'string' && /^(?:\*\.)?[A-Za-z0-9_[\]:.-]+$/.test(pattern))
    return pattern.toLowerCase()
  throw refused('trust.outbound', String(pattern), 'no host, host:port or *.domain', 'WAYBILL_OUTBOUND')
}

function parseUrl(option: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw refused(option, text, 'no host or http(s) URL')
}

function refused(option: string, entry: string, problem: string, variable?: string): WaybillError {
  return new WaybillError('ERR_WAYBILL_CONFIGURATION', { option, variable, entry, problem })
}
