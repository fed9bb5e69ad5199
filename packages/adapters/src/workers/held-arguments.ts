import { deserialize, serialize } from 'node:v8'

type Transfer = ArrayBuffer[]

/**
 * The arguments of a `postMessage` as they are now: the host clones at once, and whoever has sent an object may change
 * it afterwards. Undefined where the host would refuse the list.
 * @throws what the host would throw of the value.
 */
export function heldForThread([value, options]: readonly unknown[]): unknown[] | undefined {
  const list = transferOf(options)
  if (list === undefined) return undefined
  // Cloned in one go, so that the list names what now stands in the value.
  const held = structuredClone({ value, transfer: list }, { transfer: list })
  return [held.value, held.transfer]
}

function transferOf(options: unknown): Transfer | undefined {
  if (options === undefined || options === null) return []
  if (isIterable(options)) return [...(options as Iterable<ArrayBuffer>)]
  if (typeof options !== 'object') return undefined
  const { transfer } = options as { readonly transfer?: unknown }
  if (transfer === undefined || transfer === null) return []
  return isIterable(transfer) ? [...(transfer as Iterable<ArrayBuffer>)] : undefined
}

function isIterable(value: unknown): boolean {
  return typeof (value as { readonly [Symbol.iterator]?: unknown } | null)?.[Symbol.iterator] === 'function'
}

/** What a `send` takes; the host refuses all else. */
const SENDABLE: ReadonlySet<string> = new Set(['string', 'object', 'number', 'boolean'])

/** The same of a `send`, by the host's own serialisation. */
export function heldForProcess([value, ...rest]: readonly unknown[], json: boolean): unknown[] | undefined {
  if (!SENDABLE.has(typeof value)) return undefined
  const held: unknown = json ? JSON.parse(JSON.stringify(value)) : deserialize(serialize(value))
  return [held, ...rest]
}
