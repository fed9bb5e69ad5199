/**
 * The arguments of a `postMessage` or `send` as they are now: a host serialises at once, and whoever has sent an object
 * may change it afterwards. Throws what the host would throw.
 */
export function heldArguments(method: 'postMessage' | 'send', [value, ...rest]: unknown[]): unknown[] {
  if (method === 'send') return [cloned(value), ...rest]
  const [options] = rest as [readonly unknown[] | { readonly transfer?: readonly unknown[] } | undefined]
  const list =
    (Array.isArray(options) ? options : (options as { transfer?: unknown[] } | undefined)?.transfer) ?? []
  // Cloned in one go, so that the list names what now stands in the value.
  const held = structuredClone({ value, transfer: list }, { transfer: list as ArrayBuffer[] })
  return [held.value, held.transfer]
}

/** For JSON, the default of a process, a value need not be one that can be cloned. */
function cloned(value: unknown): unknown {
  try {
    return structuredClone(value)
  } catch {
    return JSON.parse(JSON.stringify(value)) as unknown
  }
}
