import type { Clock } from '@waybill/core/adapter'
import type { Instance } from './instance.js'
import type { InstanceChange } from './registry.js'
import type { ServiceIndex } from './service-index.js'
import { takeAll } from './sliced.js'
import { SteadyMap } from './steady-map.js'

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

  /** Whether the instance is here only because its loss is not believed yet. */
  keeps(id: string): boolean {
    return this.#kept.has(id)
  }

  /** Instances that went in one step, by themselves or because their time was over. */
  drop(ids: Iterable<string>): void {
    takeAll(this.dropping(ids))
  }

  /** The same in steps: all are judged before the first one goes. */
  *dropping(ids: Iterable<string>): Generator<undefined, void> {
    const gone = new SteadyMap<Instance>()
    let untagged = 0
    for (const id of ids) {
      yield
      const instance = this.#kept.has(id) ? undefined : this.#index.get(id)
      if (instance === undefined || gone.get(id) !== undefined) continue
      gone.set(id, instance)
      if (instance.clks.length === 0) untagged += 1
    }
    const before = this.#index.untaggedCount - this.#kept.size
    const suspicious = before >= MIN_UNTAGGED && untagged >= before * SUSPICIOUS_SHARE
    for (const { id, clks } of gone.values()) {
      if (suspicious && clks.length === 0) this.#keep(id)
      else this.remove(id)
      yield
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
