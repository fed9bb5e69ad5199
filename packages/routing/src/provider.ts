import type { Place } from './bucket.js'
import { Health } from './health.js'
import type { Instance } from './instance.js'

/**
 * An instance and what this process has learnt about it. The instance itself is frozen and may be shared by several
 * kits, so nothing is ever written to it.
 */
export class Provider {
  readonly instance: Instance
  readonly health: Health
  /** Where it stands in the buckets, so that leaving them costs the same however many others there are. */
  readonly places: Place[] = []

  /** @param former the record that this one replaces: what was learnt about the same address stays true. */
  constructor(instance: Instance, former?: Provider) {
    this.instance = instance
    const same = former?.instance.host === instance.host && former.instance.port === instance.port
    this.health = same ? former.health : new Health()
  }

  get tagged(): boolean {
    return this.instance.clks.length > 0
  }

  /** A tagged instance is left for being unreachable only, call by call: its owner may stand at a breakpoint. */
  get ejected(): boolean {
    return this.health.ejected && !this.tagged
  }
}
