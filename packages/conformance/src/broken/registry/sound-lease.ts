import type { RegistryInstance, RegistryLease } from '../../registry-record.js'
import type { SoundRegistry } from './sound-registry.js'

/** One registration, as its holder sees it and as the server keeps it. */
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
