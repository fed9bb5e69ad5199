import { hasSubscribers, publish } from '@waybill/core/adapter'
import type { Instance } from './instance.js'
import { claimsOf } from './owner.js'
import type { Lease, LeaseState } from './registry.js'

/** Why a lease is not held any more. */
export type LossCause =
  /** Its time ran out before the registry acknowledged another beat. */
  | 'expired'
  /** The registry does not know it: it was restarted, or its data removed. */
  | 'forgotten'
  /** Somebody released the tag. */
  | 'revoked'
  /** Another owner, or another process with the same id, took the place meanwhile. */
  | 'taken'

/** The holder's side of a lease: its state, who is told of it, and the audit events. */
export class OwnLease implements Lease {
  readonly instance: Instance
  readonly #end: () => Promise<void>
  readonly #listeners = new Set<(state: LeaseState) => void>()
  #state: LeaseState = 'held'
  #releasing: Promise<void> | undefined

  /** @param end takes the registration out of the registry; called once, even where it is no longer held. */
  constructor(instance: Instance, end: () => Promise<void>) {
    this.instance = instance
    this.#end = end
    const tags = claimsOf(instance)
    if (tags.length > 0) this.#audit('claim', { tags })
  }

  get state(): LeaseState {
    return this.#state
  }

  /** True once nothing brings it back: neither a beat nor a repair. */
  get over(): boolean {
    return this.#state === 'released' || this.#state === 'revoked'
  }

  watch(listener: (state: LeaseState) => void): () => void {
    const own = (state: LeaseState): void => {
      listener(state)
    }
    this.#listeners.add(own)
    return () => {
      this.#listeners.delete(own)
    }
  }

  /** The kit tries to get the place back. */
  lost(cause: LossCause): void {
    if (this.#state === 'held') this.#become('lost', 'lease-lost', { cause })
  }

  restored(): void {
    if (this.#state === 'lost') this.#become('held', 'lease-restored')
  }

  /** Lost for good. @param holder whoever has the place now, where that is known. */
  revoked(cause: LossCause, holder?: string): void {
    if (!this.over)
      this.#become('revoked', 'lease-lost', { cause, ...(holder === undefined ? {} : { holder }) })
  }

  release(): Promise<void> {
    return (this.#releasing ??= this.#release())
  }

  async #release(): Promise<void> {
    if (!this.over) this.#become('released', 'released')
    await this.#end()
  }

  #become(state: LeaseState, action: string, facts: Readonly<Record<string, unknown>> = {}): void {
    this.#state = state
    this.#audit(action, facts)
    for (const listener of [...this.#listeners]) listener(state)
  }

  #audit(action: string, facts: Readonly<Record<string, unknown>>): void {
    if (!hasSubscribers('audit')) return
    const { id, service, environment, owner } = this.instance
    publish('audit', { action, facts: { instance: id, service, environment, owner, ...facts } })
  }
}
