import { hostname } from 'node:os'
import { WaybillError } from '@waybill/core/adapter'
import type { RegistryFaults, RegistryInstance, RegistryWorld } from '../../registry-record.js'
import { SoundClient } from './sound-client.js'
import type { SoundLease } from './sound-lease.js'

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

const tagsOf = ({ clks }: RegistryInstance): string[] =>
  clks.map((clk) => (clk.endsWith('.*') ? clk.slice(0, -2) : clk))
