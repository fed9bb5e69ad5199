/**
 * What one side of a port knows of the other. The two find each other by words that no application hears, so that
 * whoever is not prepared notices nothing.
 */
export abstract class Link {
  /** The key under which this side opens envelopes. */
  readonly own: string
  #peer: string | false | undefined
  readonly #settled: (() => void)[] = []

  constructor(own: string) {
    this.own = own
  }

  /** The key under which the other side opens envelopes; false: it opens none; undefined: not known yet. */
  get peer(): string | false | undefined {
    return this.#peer
  }

  /** True: the other side has said that it is prepared; under which key it opens may still be on its way. */
  get greeted(): boolean {
    return typeof this.#peer === 'string'
  }

  /** Options for a kit of this process, where the other side has sent some. */
  get options(): string | undefined {
    return undefined
  }

  /** Takes in what has arrived, but was not handed over yet. */
  look(): void {
    // Most hosts hand over in the order of arrival.
  }

  /** Calls back each time that more is known. */
  onSettled(listener: () => void): void {
    this.#settled.push(listener)
  }

  /** As good as it gets. A later word may turn this into a yes. */
  giveUp(): void {
    if (this.#peer === undefined) this.#settle(false)
  }

  protected know(peer: string): void {
    if (this.#peer !== peer) this.#settle(peer)
  }

  #settle(peer: string | false): void {
    this.#peer = peer
    for (const listener of this.#settled) listener()
  }
}
