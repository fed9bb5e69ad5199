import { PeakEwma } from './balance/peak-ewma.js'
import type { Place } from './bucket.js'
import type { Instance } from './instance.js'

/**
 * An instance and what this process has learnt about it. The instance itself is frozen and may be shared by several
 * kits, so nothing is ever written to it.
 */
export class Provider {
  readonly instance: Instance
  /** Where it stands in the buckets, so that leaving them costs the same however many others there are. */
  readonly places: Place[] = []
  readonly load: PeakEwma
  /** Calls to it fail. Kept among the candidates where the cap of ejection forbids more. */
  failing: boolean
  /** Failing, and taken out of the candidates for a while. Never true for a tagged instance. */
  ejected: boolean

  /** @param former the record that this one replaces: what was learnt about the same address stays true. */
  constructor(instance: Instance, former?: Provider) {
    this.instance = instance
    const same = former?.instance.host === instance.host && former.instance.port === instance.port
    this.load = same ? former.load : new PeakEwma()
    this.failing = same && former.failing
    this.ejected = same && former.ejected && instance.clks.length === 0
  }

  get tagged(): boolean {
    return this.instance.clks.length > 0
  }
}
