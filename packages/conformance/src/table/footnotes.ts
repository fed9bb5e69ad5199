/** What is told below a table, in the order in which its cells refer to it. */
export class Footnotes {
  readonly #texts = new Map<string, string>()

  /**
   * The number that refers to a reason; one that several cells give is told once.
   * @param text what is told, of the first cell that gives it. Default the reason.
   */
  mark(reason: string, text = reason): string {
    if (!this.#texts.has(reason)) this.#texts.set(reason, text)
    return `<sup>${String([...this.#texts.keys()].indexOf(reason) + 1)}</sup>`
  }

  /** A numbered list in Markdown. */
  get lines(): readonly string[] {
    return [...this.#texts.values()].map((text, index) => `${String(index + 1)}. ${text}`)
  }
}
