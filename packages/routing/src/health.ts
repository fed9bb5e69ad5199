import { PeakEwma } from './balance/peak-ewma.js'

/** What this process has learnt about one address of a service. Outlives a new record of the same instance. */
export class Health {
  readonly load: PeakEwma = new PeakEwma()
  /** Calls fail there. */
  failing = false
  /** Failing, and taken out of the candidates for a while. */
  ejected = false
  /** Failed calls since the last that did not. */
  failures = 0
  /** Times that it was judged failing since the last call that went well. */
  relapses = 0
}
