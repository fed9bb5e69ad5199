import type { Clock } from '@waybill/core/adapter'
import { AddressBook } from './address-book.js'
import type { Instance } from './instance.js'
import type { InstanceChange } from './registry.js'
import { ServiceIndex } from './service-index.js'
import { SnapshotGuard } from './snapshot-guard.js'
import { SteadyMap } from './steady-map.js'

export interface RegistryViewOptions {
  readonly environment: string
  readonly clock: Clock
  /** How long instances that vanish together are kept, in milliseconds (see {@link SnapshotGuard}). */
  readonly leaseMs: number
}

type Listener = (change: InstanceChange) => void

interface Entry {
  readonly index: ServiceIndex
  readonly guard: SnapshotGuard
  readonly listeners: Set<Listener>
  /** What the index has been told of the holders; an empty index is told when it is next asked for. */
  holders: ReadonlyMap<string, string>
}

const NO_HOLDERS: ReadonlyMap<string, string> = new Map()
/**
 * Services that were asked for and have no instance, kept at most: a name may come from outside, in a redirect, and
 * whoever holds an index over calls asks for it again with each.
 */
const IDLE_AT_MOST = 1_000

/**
 * What callers see of a registry: its services, each an index that is changed one by one, the holders of its tags, and
 * whoever watches. Every registry writes into one of these, so that all of them publish alike: removals first, each
 * change once, nothing where nothing changed.
 */
export class RegistryView {
  readonly #options: RegistryViewOptions
  readonly #entries = new Map<string, Entry>()
  /** Services without instances and listeners, the one asked for last at the end; some may have got one since. */
  readonly #idle = new Set<string>()
  readonly #addresses = new AddressBook()
  /** id → service, of all records: an id that moves to another service leaves the first. */
  readonly #services = new SteadyMap<string>()
  /** Entries that were told of this map are told of each change of it. */
  #holders = new Map<string, string>()
  #unreachable = false

  constructor(options: RegistryViewOptions) {
    this.#options = options
  }

  index(service: string): ServiceIndex {
    return this.#entry(service).index
  }

  watch(service: string, listener: Listener): () => void {
    const { listeners } = this.#entry(service)
    // One function may watch twice; each registration is its own.
    const own: Listener = (change) => {
      listener(change)
    }
    listeners.add(own)
    return () => {
      listeners.delete(own)
      this.#noteIdle(service)
    }
  }

  get(id: string): Instance | undefined {
    const service = this.#services.get(id)
    return service === undefined ? undefined : this.#entry(service).index.get(id)
  }

  /** "These are all": what is not among them has gone, though many at once are kept for a lease. */
  replace(instances: readonly Instance[], holders: ReadonlyMap<string, string>): void {
    const byService = new Map<string, Instance[]>()
    for (const service of this.#entries.keys()) byService.set(service, [])
    for (const instance of instances) {
      this.#leaveFormerService(instance)
      this.#services.set(instance.id, instance.service)
      const group = byService.get(instance.service)
      if (group === undefined) byService.set(instance.service, [instance])
      else group.push(instance)
    }
    // First who may serve which tag, so that no instance is a candidate for a moment in another owner's place.
    this.hold(holders)
    for (const [service, group] of byService) this.#entry(service).guard.replace(group)
  }

  put(instance: Instance): void {
    this.#leaveFormerService(instance)
    this.#services.set(instance.id, instance.service)
    this.#entry(instance.service).guard.put(instance)
  }

  /** One that has gone for certain. */
  remove(id: string): void {
    const service = this.#services.get(id)
    if (service !== undefined) this.#entry(service).guard.remove(id)
  }

  /** Several that went at once, by themselves: many of them may be the registry's fault, and are kept for a lease. */
  drop(ids: readonly string[]): void {
    for (const service of new Set(ids.flatMap((id) => this.#services.get(id) ?? []))) {
      this.#entry(service).guard.drop(ids)
    }
  }

  /** The owner of each claimed tag, whole. */
  hold(holders: ReadonlyMap<string, string>): void {
    this.#holders = new Map(holders)
    for (const entry of this.#entries.values()) if (entry.index.size > 0) this.#tellHolders(entry)
  }

  /** The tags whose owner changed; undefined: nobody holds it now. Costs nothing for all the others. */
  holdSome(changed: ReadonlyMap<string, string | undefined>): void {
    for (const [tag, owner] of changed) {
      if (owner === undefined) this.#holders.delete(tag)
      else this.#holders.set(tag, owner)
      for (const { index, holders } of this.#entries.values()) {
        if (holders === this.#holders) index.hold(tag, owner)
      }
    }
  }

  /** While the registry cannot be reached the last snapshot stays, however long, and says so. */
  setUnreachable(unreachable: boolean): void {
    this.#unreachable = unreachable
    for (const { index } of this.#entries.values()) index.stale = unreachable
  }

  /** Ends every watch and empties the indexes, without telling anybody. */
  clear(): void {
    for (const { index, guard, listeners } of this.#entries.values()) {
      listeners.clear()
      guard.close()
      for (const { id } of [...index]) index.delete(id)
    }
    this.#services.clear()
  }

  #leaveFormerService(instance: Instance): void {
    const former = this.#services.get(instance.id)
    if (former !== undefined && former !== instance.service) this.#entry(former).guard.remove(instance.id)
  }

  #entry(service: string): Entry {
    let entry = this.#entries.get(service)
    if (entry === undefined) this.#entries.set(service, (entry = this.#makeEntry(service)))
    if (entry.index.size === 0) {
      this.#tellHolders(entry)
      this.#noteIdle(service)
    }
    return entry
  }

  #tellHolders(entry: Entry): void {
    const { index, holders: former } = entry
    const holders = this.#holders
    if (former === holders) return
    entry.holders = holders
    for (const tag of former.keys()) if (!holders.has(tag)) index.hold(tag, undefined)
    for (const [tag, owner] of holders) index.hold(tag, owner)
  }

  #noteIdle(service: string): void {
    this.#idle.delete(service)
    if (this.#isIdle(service)) this.#idle.add(service)
    for (const oldest of this.#idle) {
      if (this.#idle.size <= IDLE_AT_MOST) return
      if (this.#isIdle(oldest)) this.#entries.delete(oldest)
      this.#idle.delete(oldest)
    }
  }

  #isIdle(service: string): boolean {
    const { index, listeners } = this.#entries.get(service) ?? {}
    return index?.size === 0 && listeners?.size === 0
  }

  #makeEntry(service: string): Entry {
    const { environment, clock, leaseMs } = this.#options
    const index = new ServiceIndex(service, { environment, claimed: true, addresses: this.#addresses })
    index.stale = this.#unreachable
    const listeners = new Set<Listener>()
    const publish = (change: InstanceChange): void => {
      if (change.kind === 'removed' && this.#services.get(change.instance.id) === service) {
        this.#services.delete(change.instance.id)
      }
      // A copy: a listener may end its own watch or begin another, which then hears of later changes only.
      for (const listener of [...listeners]) tell(listener, change)
      if (index.size === 0) this.#noteIdle(service)
    }
    const guard = new SnapshotGuard(index, { clock, leaseMs, publish })
    return { index, guard, listeners, holders: NO_HOLDERS }
  }
}

/** A listener that throws changes nothing for the others; its error is the process's, as with any event of Node. */
function tell(listener: Listener, change: InstanceChange): void {
  try {
    listener(change)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
