import type { Clock } from '@waybill/core/adapter'
import type { Health } from './health.js'
import type { Provider } from './provider.js'
import type { ServiceIndex } from './service-index.js'

/** How a call to an instance went. `unreachable`: no connection was made. */
export type Outcome = 'well' | 'failed' | 'unreachable'

export interface EjectionOptions {
  readonly clock: Clock
  /** Share of a service's untagged instances that may be out at once; one always may. Default 0.2. */
  readonly cap?: number
}

const DEFAULT_CAP = 0.2
/** Failed answers in a row that make an instance failing; a refused connection needs no second one. */
const MAX_FAILURES = 5
/** An instance is failing for this long, times its relapses, at most {@link MAX_MS}. */
const BASE_MS = 10_000
const MAX_MS = 300_000

/**
 * Passive outlier ejection (after Envoy's): an untagged instance whose calls fail is taken out for a while. No more
 * than a share of them, and never the last: where everything fails, the cause is somewhere else. What fails and must
 * stay is still known as failing, so that a zone of such instances counts as down.
 */
export class Ejection {
  readonly #clock: Clock
  readonly #cap: number
  /** Cancels the end of what is failing now. */
  readonly #ends = new WeakMap<Health, () => void>()

  constructor({ clock, cap = DEFAULT_CAP }: EjectionOptions) {
    this.#clock = clock
    this.#cap = cap
  }

  report(index: ServiceIndex, provider: Provider, outcome: Outcome): void {
    if (provider.tagged) return
    const { health } = provider
    if (outcome === 'well') {
      health.failures = 0
      health.relapses = 0
      // One that is out answers only what was asked before; its time is not over.
      if (health.failing && !health.ejected) this.#recover(index, provider)
      return
    }
    health.failures += 1
    if (health.failing || (outcome === 'failed' && health.failures < MAX_FAILURES)) return
    health.relapses += 1
    index.judge(provider, { failing: true, ejected: this.#mayEject(index) })
    const recover = (): void => {
      const current = index.provider(provider.instance.id)
      if (current?.health === health) this.#recover(index, current)
    }
    this.#ends.set(health, this.#clock.after(Math.min(BASE_MS * health.relapses, MAX_MS), recover))
  }

  #recover(index: ServiceIndex, provider: Provider): void {
    const { health } = provider
    this.#ends.get(health)?.()
    this.#ends.delete(health)
    health.failures = 0
    index.judge(provider, { failing: false, ejected: false })
  }

  #mayEject(index: ServiceIndex): boolean {
    const limit = Math.max(1, Math.floor(this.#cap * index.untaggedCount))
    return index.ejectedCount < limit && index.view().untagged.size > 1
  }
}
