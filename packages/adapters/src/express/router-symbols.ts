interface Router {
  handle(req: object, res: object, done: () => void): void
}

/**
 * The symbols under which the router of express 5 keeps what it has matched on a request. Each copy of the router has
 * its own, which it exports nowhere. So a new, empty router of the app's kind is handed a request that notes what it is
 * asked for. The router is made as the app makes its own, by its `init`, on a stand-in: the app is not touched, and its
 * router is not made before its settings are known.
 * Empty where express does it otherwise: then such a property is added late, which costs time and changes nothing.
 */
export function routerSymbols(app: object): readonly symbol[] {
  const asked = new Set<symbol>()
  const request = new Proxy(
    { method: 'GET', url: '/' },
    {
      get(target, key, receiver): unknown {
        if (typeof key === 'symbol') asked.add(key)
        return Reflect.get(target, key, receiver)
      },
    },
  )
  const standIn: { router?: Router } & Record<'defaultConfiguration' | 'enabled', () => boolean> = {
    defaultConfiguration: () => false,
    enabled: () => false,
  }
  try {
    ;(app as { init(this: object): void }).init.call(standIn)
    standIn.router?.handle(request, {}, () => {})
  } catch {
    return []
  }
  return [...asked]
}
