/** A message that waits: for what the other side opens, for an interceptor, or for those before it. */
export interface Letter {
  /** The waybill, as text; undefined until the interceptors have let it through. */
  readonly baggage: string | undefined
  /** Posts it, in an envelope under this key or bare. Throws nothing. */
  deliver(key: string | false): void
  /** It will never be posted. */
  drop(): void
}

/** Messages that wait, in order. */
export class Outbox {
  readonly #peer: () => string | false | undefined
  #letters: Letter[] = []
  #flushing = false

  /** @param peer the key under which the other side opens; false: it opens none; undefined: not known yet. */
  constructor(peer: () => string | false | undefined) {
    this.#peer = peer
  }

  get empty(): boolean {
    return this.#letters.length === 0
  }

  add(letter: Letter): void {
    this.#letters.push(letter)
  }

  /** Nobody waits for this one any longer. */
  remove(letter: Letter): void {
    this.#letters = this.#letters.filter((other) => other !== letter)
    this.flush()
  }

  /** Posts those whose turn it is; what is sent meanwhile waits behind them. */
  flush(): void {
    if (this.#flushing) return
    this.#flushing = true
    for (let key = this.#peer(); key !== undefined; key = this.#peer()) {
      const [first] = this.#letters
      if (first?.baggage === undefined) break
      this.#letters.shift()
      first.deliver(key)
    }
    this.#flushing = false
  }

  /** Takes all of them out. */
  takeAll(): Letter[] {
    const letters = this.#letters
    this.#letters = []
    return letters
  }
}
