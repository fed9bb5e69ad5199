/** A law for one half of an adapter. */
export interface Law<Name extends string, Half> {
  readonly name: Name
  /** What holds, as a sentence. */
  readonly title: string
  /** Resolves where it holds; rejects saying what does not. */
  holds(half: Half): Promise<void>
}
