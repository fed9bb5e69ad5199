import type { ServiceIndex } from './service-index.js'

/** The owner of each claimed tag. */
export type Holders = Iterable<readonly [tag: string, owner: string]>

/**
 * Who holds which tag, for all indexes of a registry. An index that was told once hears of each later change; one that
 * has no instance need not be told before it is asked for.
 */
export class TagHolders {
  readonly #owners = new Map<string, string>()
  readonly #told = new Set<ServiceIndex>()

  /** Tells an index of all holders, once. */
  tell(index: ServiceIndex): void {
    if (this.#told.has(index)) return
    this.#told.add(index)
    for (const [tag, owner] of this.#owners) index.hold(tag, owner)
  }

  /** For an index that nobody reaches any more. */
  forget(index: ServiceIndex): void {
    this.#told.delete(index)
  }

  /** The owner of one tag; undefined: nobody holds it now. */
  hold(tag: string, owner: string | undefined): void {
    if (this.#owners.get(tag) === owner) return
    if (owner === undefined) this.#owners.delete(tag)
    else this.#owners.set(tag, owner)
    for (const index of this.#told) index.hold(tag, owner)
  }

  /** "These are all", in steps. Costs a comparison for each that has not changed. */
  *replacing(holders: Holders): Generator<undefined, void> {
    const named = new Set<string>()
    for (const [tag, owner] of holders) {
      named.add(tag)
      this.hold(tag, owner)
      yield
    }
    for (const tag of this.#owners.keys()) {
      if (!named.has(tag)) this.hold(tag, undefined)
      yield
    }
  }
}
