import { EventEmitter } from 'node:events'

type Snapshot = ReadonlyMap<string, unknown>

const MAX_LEVELS = 5

/**
 * The objects that an adapter was handed, each as it was right before. Compared are own properties by identity, nested
 * ones too; of event emitters, whose state moves with every request, the functions only.
 */
export class Loans {
  readonly #loans: { readonly host: object; readonly before: Snapshot }[] = []

  get size(): number {
    return this.#loans.length
  }

  readonly lend = <Host extends object>(host: Host): Host => {
    this.#loans.push({ host, before: snapshot(host) })
    return host
  }

  /** Paths of what is not as it was. */
  changes(): readonly string[] {
    return this.#loans.flatMap(({ host, before }) => {
      const after = snapshot(host)
      const paths = new Set([...before.keys(), ...after.keys()])
      return [...paths].filter(
        (path) => before.has(path) !== after.has(path) || !Object.is(before.get(path), after.get(path)),
      )
    })
  }
}

function snapshot(host: object): Snapshot {
  const values = new Map<string, unknown>()
  walk(host, '', MAX_LEVELS, values, new Set())
  return values
}

function walk(
  object: object,
  path: string,
  levels: number,
  values: Map<string, unknown>,
  seen: Set<object>,
): void {
  if (seen.has(object) || levels === 0 || ArrayBuffer.isView(object)) return
  seen.add(object)
  const functionsOnly = object instanceof EventEmitter
  for (const [key, descriptor] of ownAndInherited(object)) {
    const value: unknown = 'value' in descriptor ? descriptor.value : Reflect.get(descriptor, 'get')
    const isFunction = typeof value === 'function'
    if (functionsOnly && !isFunction) continue
    const at = `${path}.${String(key)}`
    values.set(at, value)
    if (functionsOnly || value === null || (typeof value !== 'object' && !isFunction)) continue
    walk(value, at, levels - 1, values, seen)
  }
}

/** Own properties, and those of a class of the host's. */
function ownAndInherited(object: object): Map<PropertyKey, PropertyDescriptor> {
  const prototype = Object.getPrototypeOf(object) as object | null
  const ofClass = prototype !== null && prototype !== Object.prototype && prototype !== Function.prototype
  const all = new Map<PropertyKey, PropertyDescriptor>()
  for (const holder of ofClass ? [prototype, object] : [object]) {
    for (const key of Reflect.ownKeys(holder)) {
      const descriptor = Reflect.getOwnPropertyDescriptor(holder, key)
      if (descriptor !== undefined) all.set(key, descriptor)
    }
  }
  return all
}
