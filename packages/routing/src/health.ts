import { PeakEwma } from './balance/peak-ewma.js'
import type { Place } from './bucket.js'

/** The load of one that is failing: more than that of any other. */
export const FAILING: number = Infinity

/**
 * What this process has learnt about one address of a service: how loaded it is, and whether it fails. Outlives a new
 * record of the same instance.
 */
export class Health extends PeakEwma {
  /** Failing, and taken out of the candidates for a while. */
  ejected = false
  /** Failed calls since the last that did not. */
  failures = 0
  /** Times that it was judged failing since the last call that went well. */
  relapses = 0
  #failing = false
  /** Where the instance stands in the buckets now, which are told of each change of the load. */
  #places: readonly Place[]

  /** @param places alive: of the record that this is learnt about. */
  constructor(places: readonly Place[]) {
    super()
    this.#places = places
  }

  /** Calls fail there. */
  get failing(): boolean {
    return this.#failing
  }

  set failing(failing: boolean) {
    this.#failing = failing
    this.#tell()
  }

  override get load(): number {
    return this.#failing ? FAILING : super.load
  }

  override begin(): void {
    super.begin()
    this.#tell()
  }

  override end(): void {
    super.end()
    this.#tell()
  }

  override observe(now: number, latencyMs: number): void {
    super.observe(now, latencyMs)
    this.#tell()
  }

  /** Another record of the same address takes the place of the former. */
  moveTo(places: readonly Place[]): void {
    this.#places = places
    this.#tell()
  }

  #tell(): void {
    const { load } = this
    for (const { weightClass, position } of this.#places) weightClass.loads[position] = load
  }
}
