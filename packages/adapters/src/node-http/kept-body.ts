/** A body that comes in pieces and is kept as it is read, so that it can be read again from its beginning. */
export class KeptBody {
  readonly #source: AsyncIterable<unknown>
  readonly #kept: unknown[] = []
  #iterator: AsyncIterator<unknown> | undefined
  /** Tells whether there is one more piece; the last word of a source that has ended or failed stays. */
  #more: Promise<boolean> | undefined

  constructor(source: AsyncIterable<unknown>) {
    this.#source = source
  }

  /** All of the body: first what was read before. */
  async *read(): AsyncGenerator<unknown, void, undefined> {
    for (let index = 0; index < this.#kept.length || (await this.#readOn()); index++) yield this.#kept[index]
  }

  /** All readers wait for the same piece: whoever sent before may have broken off while it waited. */
  #readOn(): Promise<boolean> {
    return (this.#more ??= this.#readNext())
  }

  async #readNext(): Promise<boolean> {
    // One iterator for all readers, moved by hand: `for await` would end it with the first that breaks off.
    this.#iterator ??= this.#source[Symbol.asyncIterator]()
    const result = await this.#iterator.next()
    if (result.done === true) return false
    this.#kept.push(result.value)
    this.#more = undefined
    return true
  }
}
