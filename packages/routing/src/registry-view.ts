import type { Clock } from '@waybill/core/adapter'
import { AddressBook } from './address-book.js'
import type { Instance } from './instance.js'
import type { InstanceChange } from './registry.js'
import { sameInstance } from './same-instance.js'
import { ServiceIndex } from './service-index.js'
import { takeAll } from './sliced.js'
import { SnapshotGuard } from './snapshot-guard.js'
import { SteadyMap } from './steady-map.js'
import { TagHolders } from './tag-holders.js'
import type { Holders } from './tag-holders.js'

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
}

/** Where a record lives, and the last snapshot that named it. */
interface Home {
  readonly id: string
  readonly service: string
  snapshot: number
}

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
  /** By id, of all records: an id that moves to another service leaves the first. */
  readonly #homes = new SteadyMap<Home>()
  readonly #holders = new TagHolders()
  #snapshots = 0
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

  /** Instances of all services. */
  get size(): number {
    return this.#homes.size
  }

  get(id: string): Instance | undefined {
    const home = this.#homes.get(id)
    return home === undefined ? undefined : this.#entry(home.service).index.get(id)
  }

  /** "These are all": what is not among them has gone, though many at once are kept for a lease. */
  replace(instances: Iterable<Instance>, holders: Holders): void {
    takeAll(this.replacing(instances, holders))
  }

  /**
   * The same in small steps, of which each leaves a view that may be used. What is as it was costs a comparison.
   *
   * @param instances undefined stands for one that could not be read.
   */
  *replacing(instances: Iterable<Instance | undefined>, holders: Holders): Generator<undefined, void> {
    const snapshot = (this.#snapshots += 1)
    const changed: Instance[] = []
    for (const instance of instances) {
      if (instance !== undefined && !this.#isKnown(instance, snapshot)) changed.push(instance)
      yield
    }
    for (const instance of changed) {
      this.#leaveFormerService(instance)
      yield
    }
    // First who may serve which tag, so that no instance is a candidate for a moment in another owner's place.
    yield* this.#holders.replacing(holders)
    const missing = new Map<string, string[]>()
    for (const { id, service, snapshot: last } of this.#homes.values()) {
      if (last !== snapshot) groupOf(missing, service).push(id)
      yield
    }
    for (const [service, ids] of missing) yield* this.#entry(service).guard.dropping(ids)
    for (const instance of changed) {
      this.put(instance)
      yield
    }
  }

  put(instance: Instance): void {
    const { id, service } = instance
    this.#leaveFormerService(instance)
    if (this.#homes.get(id) === undefined) this.#homes.set(id, { id, service, snapshot: this.#snapshots })
    this.#entry(service).guard.put(instance)
  }

  /** One that has gone for certain. */
  remove(id: string): void {
    const home = this.#homes.get(id)
    if (home !== undefined) this.#entry(home.service).guard.remove(id)
  }

  /** Several that went at once, by themselves: many of them may be the registry's fault, and are kept for a lease. */
  drop(ids: Iterable<string>): void {
    takeAll(this.dropping(ids))
  }

  /** The same in steps. */
  *dropping(ids: Iterable<string>): Generator<undefined, void> {
    const byService = new Map<string, string[]>()
    for (const id of ids) {
      const home = this.#homes.get(id)
      if (home !== undefined) groupOf(byService, home.service).push(id)
      yield
    }
    for (const [service, group] of byService) yield* this.#entry(service).guard.dropping(group)
  }

  /** The owner of each claimed tag, whole. Costs a comparison for each that has not changed. */
  hold(holders: Holders): void {
    takeAll(this.#holders.replacing(holders))
  }

  /** The owner of one tag; undefined: nobody holds it now. */
  holdOne(tag: string, owner: string | undefined): void {
    this.#holders.hold(tag, owner)
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
    this.#homes.clear()
  }

  /** Notes that a snapshot names the instance. @returns true where nothing is to be done about it. */
  #isKnown(instance: Instance, snapshot: number): boolean {
    const home = this.#homes.get(instance.id)
    if (home === undefined) return false
    // Of two with one id the last one counts.
    const isFirst = home.snapshot !== snapshot
    home.snapshot = snapshot
    const { index, guard } = this.#entry(home.service)
    const known = index.get(instance.id)
    return isFirst && known !== undefined && sameInstance(known, instance) && !guard.keeps(instance.id)
  }

  #leaveFormerService({ id, service }: Instance): void {
    const former = this.#homes.get(id)
    if (former !== undefined && former.service !== service) this.#entry(former.service).guard.remove(id)
  }

  #entry(service: string): Entry {
    let entry = this.#entries.get(service)
    if (entry === undefined) this.#entries.set(service, (entry = this.#makeEntry(service)))
    if (entry.index.size === 0) {
      this.#holders.tell(entry.index)
      this.#noteIdle(service)
    }
    return entry
  }

  #noteIdle(service: string): void {
    this.#idle.delete(service)
    if (this.#isIdle(service)) this.#idle.add(service)
    for (const oldest of this.#idle) {
      if (this.#idle.size <= IDLE_AT_MOST) return
      if (this.#isIdle(oldest)) this.#forget(oldest)
      this.#idle.delete(oldest)
    }
  }

  #forget(service: string): void {
    const { index } = this.#entries.get(service) ?? {}
    if (index !== undefined) this.#holders.forget(index)
    this.#entries.delete(service)
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
      if (change.kind === 'removed') this.#homes.delete(change.instance.id)
      // A copy: a listener may end its own watch or begin another, which then hears of later changes only.
      for (const listener of [...listeners]) tell(listener, change)
      if (index.size === 0) this.#noteIdle(service)
    }
    const guard = new SnapshotGuard(index, { clock, leaseMs, publish })
    return { index, guard, listeners }
  }
}

function groupOf(groups: Map<string, string[]>, name: string): string[] {
  let group = groups.get(name)
  if (group === undefined) groups.set(name, (group = []))
  return group
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
