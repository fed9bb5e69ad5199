/** Symbol.for: a listener of one copy of the package is seen through by the others. */
const HANDS_TO = Symbol.for('@waybill/adapters.hands-to')

type Listener = (...args: never[]) => unknown

/** Says of a listener that it changes nothing on a request and shows it to nobody but `inner`, which gets it next. */
export function handsOn<Outer extends Listener>(outer: Outer, inner: Listener): Outer {
  return Object.defineProperty(outer, HANDS_TO, { value: inner })
}

/** Who gets the request of a listener first that is none of ours. */
export function handedTo(listener: unknown): unknown {
  const inner = (listener as { [HANDS_TO]?: Listener } | undefined)?.[HANDS_TO]
  return inner === undefined ? listener : handedTo(inner)
}
