import type { RegistryChange, RegistryIndex, RegistryInstance } from '../../registry-record.js'
import type { SoundRegistry } from './sound-registry.js'

/** One service as one client knows it: the last snapshot, and who is told of changes. */
export class SoundService implements RegistryIndex {
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
      for (const { id } of lost) this.#keptUntil.set(id, now + this.#world.leaseMs)
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
