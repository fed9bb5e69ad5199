import { hostname } from 'node:os'
import { WaybillError } from '@waybill/core/adapter'
import type {
  RegistryChange,
  RegistryFaults,
  RegistryIndex,
  RegistryInstance,
  RegistryLease,
  RegistryUnderTest,
  RegistryWorld,
} from '../../registry-record.js'

/** Time goes in steps; a lease lasts ten, and a beat is sent at every other. */
const STEP_MS = 10
const LEASE_MS = 100

/** The smallest registry that obeys every law, server and clients in one. Each broken one changes one of its steps. */
export class SoundRegistry implements RegistryWorld {
  readonly settleMs: number = 2 * STEP_MS
  readonly leaseMs = LEASE_MS
  readonly reconnectMs: number = 2 * STEP_MS
  readonly clients: SoundClient[] = []
  /** What the server holds. */
  readonly held = new Map<string, SoundLease>()
  readonly off = new Set<string>()
  now = 0
  isCut = false
  #delayed: (() => void)[] | undefined
  #placing: SoundClient | undefined

  /** Half or more of four or more. */
  isSuspicious(lost: number, known: number): boolean {
    return known >= 4 && lost * 2 >= known
  }

  makeClient(): SoundClient {
    return new SoundClient(this)
  }

  async client(): Promise<SoundClient> {
    const client = this.makeClient()
    this.clients.push(client)
    client.read()
    return client
  }

  async place(instance: RegistryInstance): Promise<() => Promise<void>> {
    const lease = await (this.#placing ??= await this.client()).register(instance)
    return () => lease.release()
  }

  async vanish(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const lease = this.held.get(id)
      if (lease !== undefined) lease.silent = true
      this.held.delete(id)
    }
  }

  async plain(service: string): Promise<string[]> {
    return this.#records(service)
      .filter((instance) => this.isShared(instance))
      .map(({ id }) => id)
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      this.now += STEP_MS
      for (const client of this.clients) client.beat()
      for (const lease of this.held.values()) if (lease.until <= this.now) this.expire(lease)
      for (const client of this.clients) client.read()
    }
  }

  readonly faults: RegistryFaults = {
    holder: async () => {
      const client = await this.client()
      return {
        register: async (instance) => void (await client.register(instance)),
        kill: async () => {
          client.silence()
        },
      }
    },
    cut: async (cut) => {
      this.isCut = cut
    },
    delayBeats: () => {
      const delayed: (() => void)[] = []
      this.#delayed = delayed
      return async () => {
        this.#delayed = undefined
        for (const arrive of delayed) arrive()
      }
    },
    forget: async (id) => {
      this.held.delete(id)
    },
    switchOff: async (id) => {
      this.off.add(id)
    },
  }

  async dispose(): Promise<void> {}

  /** A beat on its way. */
  send(lease: SoundLease): void {
    const arrive = (): void => {
      this.arrive(lease)
    }
    if (this.#delayed === undefined) arrive()
    else this.#delayed.push(arrive)
  }

  arrive(lease: SoundLease): void {
    if (this.held.get(lease.instance.id) === lease) lease.until = this.now + LEASE_MS
    else if (!lease.over) this.registerAgain(lease)
  }

  registerAgain(lease: SoundLease): void {
    lease.become('lost')
    this.hold(lease)
    lease.become('held')
  }

  hold(lease: SoundLease): void {
    lease.until = this.now + LEASE_MS
    this.held.set(lease.instance.id, lease)
  }

  expire(lease: SoundLease): void {
    this.held.delete(lease.instance.id)
  }

  refuse(instance: RegistryInstance): void {
    this.refuseId(instance)
    this.refuseTags(instance)
  }

  refuseId({ id }: RegistryInstance): void {
    if (this.held.has(id))
      throw new WaybillError('ERR_WAYBILL_ID_TAKEN', { id, pid: process.pid, host: hostname() })
  }

  refuseTags(instance: RegistryInstance): void {
    const tags = new Set(tagsOf(instance))
    for (const { instance: other } of this.held.values()) {
      const tag = tagsOf(other).find((each) => tags.has(each))
      if (tag === undefined || other.owner === instance.owner) continue
      throw new WaybillError('ERR_WAYBILL_TAG_OWNED', { tag, holder: other.owner })
    }
  }

  async revoke(tag: string): Promise<RegistryInstance[]> {
    const ended = [...this.held.values()].filter(({ instance }) => tagsOf(instance).includes(tag))
    for (const lease of ended) {
      this.held.delete(lease.instance.id)
      lease.become('revoked')
    }
    return ended.map(({ instance }) => instance)
  }

  isShared(instance: RegistryInstance): boolean {
    return instance.clks.length === 0
  }

  seen(service: string): RegistryInstance[] {
    return this.#records(service).map((instance) =>
      this.isOff(instance) ? { ...instance, enabled: false } : instance,
    )
  }

  isOff({ id }: RegistryInstance): boolean {
    return this.off.has(id)
  }

  #records(service: string): RegistryInstance[] {
    return [...this.held.values()]
      .map(({ instance }) => instance)
      .filter((instance) => instance.service === service)
  }
}

export class SoundLease implements RegistryLease {
  readonly instance: RegistryInstance
  readonly #world: SoundRegistry
  readonly #listeners = new Set<(state: string) => void>()
  state = 'held'
  until = 0
  /** Its holder beats no more. */
  silent = false

  constructor(world: SoundRegistry, instance: RegistryInstance) {
    this.#world = world
    this.instance = instance
  }

  get over(): boolean {
    return this.state === 'released' || this.state === 'revoked'
  }

  watch(listener: (state: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  become(state: string): void {
    if (this.over) return
    this.state = state
    for (const listener of this.#listeners) listener(state)
  }

  async release(): Promise<void> {
    if (this.#world.held.get(this.instance.id) === this) this.#world.held.delete(this.instance.id)
    this.become('released')
  }
}

export class SoundClient implements RegistryUnderTest {
  protected readonly world: SoundRegistry
  protected readonly leases: SoundLease[] = []
  protected readonly services = new Map<string, SoundService>()
  closed = false

  constructor(world: SoundRegistry) {
    this.world = world
  }

  index(service: string): RegistryIndex {
    return this.#service(service)
  }

  async ready(): Promise<void> {
    this.read()
  }

  watch(service: string, listener: (change: RegistryChange) => void): () => void {
    const { listeners } = this.#service(service)
    const own = (change: RegistryChange): void => {
      listener(change)
    }
    listeners.add(own)
    return () => listeners.delete(own)
  }

  async register(instance: RegistryInstance): Promise<SoundLease> {
    if (this.closed) throw new WaybillError('ERR_WAYBILL_REGISTRY', { why: 'closed' })
    this.world.refuse(instance)
    const lease = new SoundLease(this.world, instance)
    this.leases.push(lease)
    this.world.hold(lease)
    return lease
  }

  async revoke(tag: string): Promise<RegistryInstance[]> {
    return this.world.revoke(tag)
  }

  async close(): Promise<void> {
    this.closed = true
    for (const lease of this.leases) await lease.release()
    for (const service of this.services.values()) service.empty()
  }

  silence(): void {
    for (const lease of this.leases) lease.silent = true
  }

  beat(): void {
    if (this.world.isCut) return
    for (const lease of this.leases) if (!lease.silent && !lease.over) this.world.send(lease)
  }

  read(): void {
    if (this.closed) return
    for (const [name, service] of this.services) {
      service.stale = this.world.isCut
      if (!this.world.isCut) service.take(this.world.seen(name), this.world.now)
    }
  }

  #service(name: string): SoundService {
    let service = this.services.get(name)
    if (service === undefined) {
      this.services.set(name, (service = new SoundService(this.world)))
      if (!this.closed) this.read()
    }
    return service
  }
}

class SoundService implements RegistryIndex {
  readonly listeners = new Set<(change: RegistryChange) => void>()
  readonly #known = new Map<string, RegistryInstance>()
  readonly #keptUntil = new Map<string, number>()
  readonly #world: SoundRegistry
  stale = false

  constructor(world: SoundRegistry) {
    this.#world = world
  }

  get held(): boolean {
    return this.#keptUntil.size > 0
  }

  get(id: string): RegistryInstance | undefined {
    return this.#known.get(id)
  }

  [Symbol.iterator](): Iterator<RegistryInstance> {
    return this.#known.values()
  }

  take(instances: readonly RegistryInstance[], now: number): void {
    const ids = new Set(instances.map(({ id }) => id))
    const untagged = [...this.#known.values()].filter(
      ({ id, clks }) => clks.length === 0 && !this.#keptUntil.has(id),
    )
    const lost = untagged.filter(({ id }) => !ids.has(id))
    if (this.#world.isSuspicious(lost.length, untagged.length)) {
      for (const { id } of lost) this.#keptUntil.set(id, now + LEASE_MS)
    }
    for (const [id, instance] of this.#known) {
      if (ids.has(id) || (this.#keptUntil.get(id) ?? 0) > now) continue
      this.#known.delete(id)
      this.#keptUntil.delete(id)
      this.#tell({ kind: 'removed', instance })
    }
    for (const instance of instances) {
      const known = this.#known.get(instance.id)
      this.#known.set(instance.id, instance)
      if (known?.enabled !== instance.enabled) this.#tell({ kind: known ? 'changed' : 'added', instance })
    }
  }

  empty(): void {
    this.listeners.clear()
    this.#known.clear()
    this.#keptUntil.clear()
  }

  #tell(change: RegistryChange): void {
    for (const listener of [...this.listeners]) listener(change)
  }
}

const tagsOf = ({ clks }: RegistryInstance): string[] =>
  clks.map((clk) => (clk.endsWith('.*') ? clk.slice(0, -2) : clk))
