import { PeakEwma } from './balance/peak-ewma.js'

/**
 * What this process has learnt about one address of a service: how loaded it is, and whether it fails. Outlives a new
 * record of the same instance. One object with the load: a choice among very many is as dear as the memory it touches.
 */
export class Health extends PeakEwma {
  /** Calls fail there. */
  failing = false
  /** Failing, and taken out of the candidates for a while. */
  ejected = false
  /** Failed calls since the last that did not. */
  failures = 0
  /** Times that it was judged failing since the last call that went well. */
  relapses = 0
}
