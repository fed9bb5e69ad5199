import { WaybillError } from '@waybill/core/adapter'
import type { Clock } from '@waybill/core/adapter'
import type { Instance } from '../../instance.js'
import type { InstanceChange, Lease, Registry, RegistryLife } from '../../registry.js'
import { RegistryView } from '../../registry-view.js'
import type { ServiceIndex } from '../../service-index.js'
import { Sliced } from '../../sliced.js'
import { BackOff } from './back-off.js'
import { LeaseKeeper } from './lease-keeper.js'
import type { LeaseLink } from './lease-link.js'
import { LinkReader } from './link-reader.js'

export interface LeaseRegistryOptions {
  readonly link: LeaseLink
  readonly life: RegistryLife
  readonly clock: Clock
  /** In [0, 1); spreads the attempts to reconnect. */
  readonly random: () => number
  /** Default: slices of the machine's event loop. */
  readonly sliced?: Sliced
}

interface Opened {
  readonly environment: string
  readonly view: RegistryView
  readonly reader: LinkReader
}

/** A registry over a server with leases: keeps own registrations alive, and a view of everybody's. */
export class LeaseRegistry implements Registry {
  readonly kind: string
  readonly place: string
  readonly life: RegistryLife
  readonly watchMs: number
  readonly #options: LeaseRegistryOptions
  readonly #keepers = new Set<LeaseKeeper>()
  #opened: Opened | undefined
  #closed = false

  constructor(options: LeaseRegistryOptions) {
    this.#options = options
    this.kind = options.link.kind
    this.place = options.link.place
    this.life = options.life
    this.watchMs = options.link.watchMs
  }

  get closed(): boolean {
    return this.#closed
  }

  get dropped(): number {
    return this.#opened?.reader.dropped ?? 0
  }

  open(environment: string): void {
    if (this.#opened?.environment === environment && !this.#closed) return
    if (this.#closed || this.#opened !== undefined) throw this.#refusal(environment)
    const { link, clock, random, sliced = new Sliced() } = this.#options
    const view = new RegistryView({ environment, clock, leaseMs: link.ttlMs })
    const reader = new LinkReader({ link, clock, view, environment, backOff: new BackOff(random), sliced })
    this.#opened = { environment, view, reader }
    reader.start()
  }

  index(service: string): ServiceIndex {
    return this.#use().view.index(service)
  }

  ready(_service: string, signal?: AbortSignal): Promise<void> {
    return this.#use().reader.ready(signal)
  }

  watch(service: string, listener: (change: InstanceChange) => void): () => void {
    return this.#use().view.watch(service, listener)
  }

  async register(instance: Instance): Promise<Lease> {
    const { environment } = this.#use()
    if (instance.environment !== environment || this.#closed) throw this.#refusal(instance.environment)
    const { link, clock } = this.#options
    const sentAt = clock.now()
    const token = await link.register(instance)
    const keeper = new LeaseKeeper(link, clock, instance, token, sentAt)
    this.#keepers.add(keeper)
    keeper.lease.watch(() => {
      if (keeper.lease.over) this.#keepers.delete(keeper)
    })
    return keeper.lease
  }

  async revoke(tag: string): Promise<readonly Instance[]> {
    return this.#options.link.revoke(this.#use().environment, tag)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    const released = await Promise.allSettled([...this.#keepers].map(({ lease }) => lease.release()))
    this.#opened?.reader.stop()
    this.#opened?.view.clear()
    const failed = released.find((each) => each.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  #use(): Opened {
    if (this.#opened === undefined) throw this.#refusal(undefined)
    return this.#opened
  }

  #refusal(environment: string | undefined): WaybillError {
    const why = this.#closed ? 'closed' : `open for ${this.#opened?.environment ?? 'no environment'}`
    return new WaybillError('ERR_WAYBILL_REGISTRY', { registry: this.kind, environment, why })
  }
}
