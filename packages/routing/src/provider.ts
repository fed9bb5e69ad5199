import { IDLE } from './balance/peak-ewma.js'
import type { Place } from './bucket.js'
import type { Standing } from './candidate-view.js'
import { Health } from './health.js'
import type { Instance } from './instance.js'

/**
 * An instance and what this process has learnt about it. The instance itself is frozen and may be shared by several
 * kits, so nothing is ever written to it.
 */
export class Provider {
  readonly instance: Instance
  /** Where it stands in the buckets, so that leaving them costs the same however many others there are. */
  readonly places: Place[] = []
  /** How its index sees it; undefined where it counts for nothing. The index's to write. */
  standing: Standing | undefined = undefined
  /** Made when there is something to remember: of very many instances a process calls few, or each a few times. */
  #health: Health | undefined

  /** @param former the record that this one replaces: what was learnt about the same address stays true. */
  constructor(instance: Instance, former?: Provider) {
    this.instance = instance
    if (former?.instance.host !== instance.host || former.instance.port !== instance.port) return
    // Made even if the former had none: its calls that are under way still learn.
    this.#health = former.health
    this.#health.moveTo(this.places)
  }

  get health(): Health {
    return (this.#health ??= new Health(this.places))
  }

  get tagged(): boolean {
    return this.instance.clks.length > 0
  }

  /** Calls fail there. */
  get failing(): boolean {
    return this.#health !== undefined && this.#health.failing
  }

  /** A tagged instance is left for being unreachable only, call by call: its owner may stand at a breakpoint. */
  get ejected(): boolean {
    return this.#health !== undefined && this.#health.ejected && !this.tagged
  }

  /** How loaded it is, for comparison: lower is better (see {@link PeakEwma.load}); Infinity while it is failing. */
  get load(): number {
    return this.#health === undefined ? IDLE : this.#health.load
  }
}
