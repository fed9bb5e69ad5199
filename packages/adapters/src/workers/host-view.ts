import type { Kit } from '@waybill/core/adapter'

/** Symbol.for: what another copy of the package has wrapped is not wrapped again. */
const WRAPPED: unique symbol = Symbol.for('@waybill/adapters.workers') as never

interface View {
  readonly [WRAPPED]?: { readonly kit: Kit; readonly host: object }
}

/** True for what {@link hostView} made for this kit. */
export function isView(kit: Kit, host: object): boolean {
  return (host as View)[WRAPPED]?.kit === kit
}

/** The host itself behind a view of another kit, whose envelope around an envelope nobody would open. */
export function hostOf<Host extends object>(view: Host): Host {
  return ((view as View)[WRAPPED]?.host ?? view) as Host
}

/**
 * A view of a host's object with some methods of its own. All else is the host's, called on the host itself, whose
 * private members a mere prototype would hide. Nothing is written to it.
 */
export function hostView<Host extends object>(
  kit: Kit,
  host: Host,
  method: (name: string | symbol, view: Host) => ((...args: never[]) => unknown) | undefined,
): Host {
  const methods = new Map<string | symbol, unknown>()
  const view: Host = new Proxy(host, {
    get(_host, name) {
      if (name === WRAPPED) return { kit, host }
      if (methods.has(name)) return methods.get(name)
      const value: unknown = Reflect.get(host, name, host)
      const own = typeof value === 'function' ? method(name, view) : undefined
      if (own === undefined && (typeof value !== 'function' || name === 'constructor')) return value
      const bound =
        own ?? ((...args: unknown[]): unknown => hostsOwn(Reflect.apply(value as never, host, args)))
      methods.set(name, bound)
      return bound
    },
    set(_host, name, value) {
      methods.delete(name)
      return Reflect.set(host, name, value, host)
    },
  })
  /** A method that returns its object for the next call returns the view. */
  const hostsOwn = (result: unknown): unknown => (result === host ? view : result)
  return view
}
