import type { Clock } from '@waybill/core/adapter'
import type { Instance } from './instance.js'
import type { InstanceChange } from './registry.js'
import type { ServiceIndex } from './service-index.js'

/** Below this many a sudden loss is believed: three instances do stop together. */
const MIN_UNTAGGED = 4
/** The share of the untagged instances whose loss at once is not believed. */
const SUSPICIOUS_SHARE = 0.5

export interface SnapshotGuardOptions {
  readonly clock: Clock
  /** How long vanished instances are kept, in milliseconds: one lease of the registry. */
  readonly leaseMs: number
  /** Told each change of the index, after it. */
  readonly publish: (change: InstanceChange) => void
}

/**
 * Stands between a registry that says "these are all" and the index. A snapshot that loses half or more of four or
 * more untagged instances at once looks like a failing registry, so they are kept for one lease and decisions say
 * `STALE_SNAPSHOT`. Tagged instances leave at once: a wrong one of those is a stranger's machine.
 */
export class SnapshotGuard {
  readonly #index: ServiceIndex
  readonly #options: SnapshotGuardOptions
  /** Kept although the registry no longer names them: id → cancels the end of its time. */
  readonly #kept = new Map<string, () => void>()

  constructor(index: ServiceIndex, options: SnapshotGuardOptions) {
    this.#index = index
    this.#options = options
  }

  /** Everything the registry holds for the service now. What is not in it has gone. */
  replace(snapshot: Iterable<Instance>): void {
    const named = new Map<string, Instance>()
    for (const instance of snapshot) named.set(instance.id, instance)
    this.#lose([...this.#index].filter(({ id }) => !named.has(id)))
    for (const instance of named.values()) this.put(instance)
  }

  /** Instances that went in one step, by themselves or because their time was over. */
  drop(ids: Iterable<string>): void {
    this.#lose([...new Set(ids)].flatMap((id) => this.#index.get(id) ?? []))
  }

  #lose(missing: readonly Instance[]): void {
    const gone = missing.filter(({ id }) => !this.#kept.has(id))
    const baseline = gone.filter(({ clks }) => clks.length === 0)
    const before = this.#index.untaggedCount - this.#kept.size
    const suspicious = before >= MIN_UNTAGGED && baseline.length >= before * SUSPICIOUS_SHARE
    for (const instance of gone) {
      if (suspicious && instance.clks.length === 0) this.#keep(instance.id)
      else this.remove(instance.id)
    }
  }

  /** One instance that the registry named. */
  put(instance: Instance): void {
    this.#letGo(instance.id)
    const former = this.#index.get(instance.id)
    if (this.#index.put(instance)) this.#options.publish({ kind: former ? 'changed' : 'added', instance })
  }

  /** One instance that has gone for certain, e.g. because it deregistered. */
  remove(id: string): void {
    this.#letGo(id)
    const instance = this.#index.get(id)
    if (instance === undefined) return
    this.#index.delete(id)
    this.#options.publish({ kind: 'removed', instance })
  }

  /** Ends every hold; the instances stay in the index, which nobody changes any more. */
  close(): void {
    for (const id of [...this.#kept.keys()]) this.#letGo(id)
  }

  #keep(id: string): void {
    this.#kept.set(
      id,
      this.#options.clock.after(this.#options.leaseMs, () => this.remove(id)),
    )
    this.#index.held = true
  }

  #letGo(id: string): void {
    this.#kept.get(id)?.()
    this.#kept.delete(id)
    this.#index.held = this.#kept.size > 0
  }
}
