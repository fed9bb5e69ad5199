import type { Clock } from '@waybill/core/adapter'
import { hostname } from 'node:os'
import type { Instance } from '../../instance.js'
import { ClaimTable, idTaken } from '../../owner.js'
import { SteadyMap } from '../../steady-map.js'
import type { BeatAnswer, LeaseChange, LeaseLink, LinkListener } from '../leases/lease-link.js'

export interface MemoryServerOptions {
  readonly clock: Clock
  /** How long a lease lasts without a beat, in milliseconds. Default: for ever, since who registers is this process. */
  readonly ttlMs?: number
}

interface Registration {
  readonly token: string
  readonly instance: Instance
  /** When its time is over, on the server's clock. */
  until: number
}

/** Leases without an end are renewed, and everything is read again, this often. */
const WITHOUT_TTL_MS = 60_000

/**
 * A registry's server, in memory: what it holds, who claims what, whose time is over. The reference for servers that
 * sit elsewhere; a test breaks it, makes it forget, or takes it off the network.
 */
export class MemoryServer {
  readonly #clock: Clock
  readonly #ttlMs: number | undefined
  readonly #registrations = new SteadyMap<Registration>()
  readonly #byToken = new SteadyMap<Registration>()
  /** Ended on purpose, newest last: a beat for one of these does not bring it back. */
  readonly #revoked = new Set<string>()
  /** Switched off by hand; outlives the registration. */
  readonly #off = new Set<string>()
  readonly #claims = new Map<string, ClaimTable>()
  readonly #watchers = new Map<LinkListener, string>()
  #reachable = true
  #tokens = 0

  constructor(options: MemoryServerOptions) {
    this.#clock = options.clock
    this.#ttlMs = options.ttlMs
  }

  /** False: every request fails and every watch breaks, until it is true again. */
  get reachable(): boolean {
    return this.#reachable
  }

  set reachable(reachable: boolean) {
    this.#reachable = reachable
    if (reachable) return
    const watchers = [...this.#watchers.keys()]
    this.#watchers.clear()
    for (const watcher of watchers) watcher.broken(unreachable())
  }

  /** A way to this server. */
  link(): LeaseLink {
    const guarded = async <T>(step: () => T): Promise<T> => {
      if (!this.#reachable) throw unreachable()
      return step()
    }
    return {
      kind: 'memory',
      place: 'memory',
      ttlMs: this.#ttlMs ?? WITHOUT_TTL_MS,
      watchMs: 0,
      connect: (environment, listener) => this.#watch(environment, listener),
      register: (instance) => guarded(() => this.#register(instance)),
      beat: (token) => guarded(() => this.#beat(token)),
      deregister: (token) =>
        guarded(() => {
          this.#revokeToken(token)
        }),
      revoke: (environment, tag) => guarded(() => this.#revokeTag(environment, tag)),
    }
  }

  /** Adds a registration that needs no beats. @throws WaybillError like a registration. */
  add(instance: Instance): void {
    const registration = this.#byToken.get(this.#register(instance))
    if (registration !== undefined) registration.until = Infinity
  }

  /** What the server holds of an environment. `tagged` says which of them; default all. */
  instances(environment: string, tagged?: boolean): Instance[] {
    return [...this.#instancesOf(environment)].filter(
      ({ clks }) => tagged === undefined || clks.length > 0 === tagged,
    )
  }

  /** Switches an instance off or on by hand; holds whether or not it is registered. */
  enable(id: string, enabled: boolean): void {
    if (enabled) this.#off.delete(id)
    else this.#off.add(id)
    const known = this.#registrations.get(id)
    if (known !== undefined) this.#tell(known.instance.environment, { put: [this.#switched(known.instance)] })
  }

  /** Loses its registrations, as a server does that was restarted. Its watchers notice with their next resync. */
  forget(...ids: readonly string[]): void {
    const all = [...this.#registrations.values()]
    const forgotten = ids.length === 0 ? all : all.filter(({ instance }) => ids.includes(instance.id))
    for (const registration of forgotten) this.#drop(registration)
  }

  /** Ends leases in one step, as if their time was over. */
  expire(...ids: readonly string[]): void {
    this.#remove(ids.flatMap((id) => this.#registrations.get(id) ?? []))
  }

  #register(instance: Instance): string {
    const known = this.#registrations.get(instance.id)
    // The same process registers again only what the server forgot, or after it has released.
    if (known !== undefined) throw idTaken(instance.id, { pid: process.pid, host: hostname() })
    const claims = this.#claimsOf(instance.environment)
    const refused = claims.take(instance)
    if (refused !== undefined) throw refused
    this.#tokens += 1
    const registration: Registration = {
      token: `${instance.id}#${String(this.#tokens)}`,
      instance,
      until: Infinity,
    }
    this.#registrations.set(instance.id, registration)
    this.#byToken.set(registration.token, registration)
    this.#renew(registration)
    this.#tell(instance.environment, {
      put: [this.#switched(instance)],
      holders: claims.holdersOf([instance]),
    })
    return registration.token
  }

  #beat(token: string): BeatAnswer {
    const known = this.#byToken.get(token)
    if (known === undefined) return this.#revoked.has(token) ? 'revoked' : 'unknown'
    this.#renew(known)
    return 'held'
  }

  #revokeToken(token: string): void {
    this.#remember(token)
    const known = this.#byToken.get(token)
    if (known !== undefined) this.#remove([known])
  }

  #revokeTag(environment: string, tag: string): Instance[] {
    const held = this.#claimsOf(environment)
      .instancesOf(tag)
      .flatMap((id) => this.#registrations.get(id) ?? [])
    for (const { token } of held) this.#remember(token)
    this.#remove(held)
    return held.map(({ instance }) => instance)
  }

  #renew(registration: Registration): void {
    const ttlMs = this.#ttlMs
    if (ttlMs === undefined) return
    const until = this.#clock.now() + ttlMs
    registration.until = until
    const look = (): void => {
      // Renewed since, as a rule: then nobody is looked at.
      if (registration.until !== until) return
      // A timer may ring a fraction of a millisecond before its time, and no other comes for a lease that ends.
      const rest = until - this.#clock.now()
      if (rest > 0) this.#clock.after(rest, look)
      else this.#sweep()
    }
    this.#clock.after(ttlMs, look)
  }

  /** Whose time is over goes in one step, as with a server that sweeps. */
  #sweep(): void {
    const now = this.#clock.now()
    const over = [...this.#registrations.values()].filter(({ until }) => until <= now)
    for (const environment of new Set(over.map(({ instance }) => instance.environment))) {
      this.#remove(over.filter(({ instance }) => instance.environment === environment))
    }
  }

  #remove(registrations: readonly Registration[]): void {
    for (const registration of registrations) this.#drop(registration)
    const environment = registrations[0]?.instance.environment
    if (environment === undefined) return
    const instances = registrations.map(({ instance }) => instance)
    this.#tell(environment, {
      remove: instances.map(({ id }) => id),
      holders: this.#claimsOf(environment).holdersOf(instances),
    })
  }

  #drop(registration: Registration): void {
    this.#registrations.delete(registration.instance.id)
    this.#byToken.delete(registration.token)
    this.#claimsOf(registration.instance.environment).leave(registration.instance)
  }

  #watch(environment: string, listener: LinkListener): { resync: () => void; close: () => void } {
    if (!this.#reachable) throw unreachable()
    const resync = (): void => {
      if (!this.#watchers.has(listener)) return
      listener.snapshot({
        size: this.#registrations.size,
        instances: this.#instancesOf(environment),
        holders: this.#claimsOf(environment).holders(),
      })
    }
    this.#watchers.set(listener, environment)
    resync()
    return { resync, close: () => void this.#watchers.delete(listener) }
  }

  #tell(environment: string, change: LeaseChange): void {
    for (const [watcher, of] of [...this.#watchers]) if (of === environment) watcher.changed(change)
  }

  #claimsOf(environment: string): ClaimTable {
    let claims = this.#claims.get(environment)
    if (claims === undefined) this.#claims.set(environment, (claims = new ClaimTable()))
    return claims
  }

  *#instancesOf(environment: string): Generator<Instance, void> {
    for (const { instance } of this.#registrations.values()) {
      if (instance.environment === environment) yield this.#switched(instance)
    }
  }

  #switched(instance: Instance): Instance {
    return this.#off.has(instance.id) ? { ...instance, enabled: false } : instance
  }

  #remember(token: string): void {
    this.#revoked.add(token)
    const [oldest] = this.#revoked
    if (this.#revoked.size > 1_000 && oldest !== undefined) this.#revoked.delete(oldest)
  }
}

const unreachable = (): Error => new Error('the registry is unreachable')
