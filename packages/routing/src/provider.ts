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
  readonly load: PeakEwma = new PeakEwma()
  /** Calls to it fail. Kept among the candidates where the cap of ejection forbids more. */
  failing = false
  /** Failing, and taken out of the candidates for a while. Never true for a tagged instance. */
  ejected = false

  constructor(instance: Instance) {
    this.instance = instance
  }

  get tagged(): boolean {
    return this.instance.clks.length > 0
  }
}
