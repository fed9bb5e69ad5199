/** Members by name. */
type Members = Record<string, unknown>

/**
 * A plain copy of what a caller has handed in, for kafkajs, which takes it apart by name: what it reads is an own value of
 * the copy, wherever the caller's object has it from, its class, a getter over private fields or a Proxy.
 * @param names what kafkajs reads.
 */
export function plainCopy(given: object, names: readonly string[]): Members {
  return filledFrom(given, { ...given }, names)
}

/** Adds to the copy what it has not from spreading. */
export function filledFrom(given: object, copy: Members, names: readonly string[]): Members {
  for (const name of names) {
    if (copy[name] !== undefined) continue
    const value = (given as Readonly<Members>)[name]
    if (value !== undefined) copy[name] = value
  }
  return copy
}
