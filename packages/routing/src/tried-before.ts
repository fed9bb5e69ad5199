/** Failed calls that are remembered; a host library repeats a call within seconds, if at all. */
const MAX_CALLS = 256

/**
 * Which instances a failed call had tried, for the host library's own retry of it: that is a call of its own, which
 * names the one it repeats.
 */
export class TriedBefore {
  readonly #tried = new Map<string, readonly string[]>()

  remember(call: string, tried: readonly string[]): void {
    if (tried.length === 0) return
    const oldest = this.#tried.keys().next()
    if (this.#tried.size >= MAX_CALLS && !oldest.done) this.#tried.delete(oldest.value)
    this.#tried.set(call, tried)
  }

  of(call: string | undefined): readonly string[] {
    return (call === undefined ? undefined : this.#tried.get(call)) ?? []
  }
}
