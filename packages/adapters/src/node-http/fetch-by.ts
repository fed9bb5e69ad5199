import {
  globalDispatcher,
  type DispatchHandler,
  type DispatchOptions,
  type Dispatcher,
} from './dispatcher.js'

/** Stands before the dispatcher that a call of fetch names, or before the global one. */
export abstract class DispatcherInFront implements Dispatcher {
  readonly #named: Dispatcher | undefined

  constructor(named: Dispatcher | undefined) {
    this.#named = named
  }

  /** undici asks it to learn in which form a body is wanted. */
  get isMockActive(): unknown {
    return (this.behind as { isMockActive?: unknown }).isMockActive
  }

  /** What sends, as of now: the global one may be another by the next hop. */
  protected get behind(): Dispatcher {
    return this.#named ?? globalDispatcher()
  }

  abstract dispatch(options: DispatchOptions, handler: DispatchHandler): boolean
}

/**
 * The dispatcher that a call of fetch names: in its init, or with the Request that it is given. undici 7, which is in Node 24, keeps
 * that of a Request where nobody else can see it.
 */
function namedDispatcher(input: unknown, init: object): Dispatcher | undefined {
  const named = (init as { readonly dispatcher?: Dispatcher }).dispatcher
  if (named !== undefined || typeof input !== 'object' || input === null) return named
  const symbol = Object.getOwnPropertySymbols(input).find(({ description }) => description === 'dispatcher')
  return symbol && (input as Record<symbol, Dispatcher | undefined>)[symbol]
}

/** What fetch reads of its init: RequestInit of the Fetch standard. */
const INIT_MEMBERS = [
  'method',
  'headers',
  'body',
  'referrer',
  'referrerPolicy',
  'mode',
  'credentials',
  'cache',
  'redirect',
  'integrity',
  'keepalive',
  'signal',
  'duplex',
  'priority',
  'window',
]

/**
 * Calls fetch with another dispatcher, which is made of the one that the call names. What fetch would refuse is left to it, and
 * what an accessor of `init` throws rejects as it does there.
 */
export function fetchBy<Answer>(
  fetch: (input: unknown, init: unknown) => Promise<Answer>,
  input: unknown,
  init: unknown,
  make: (named: Dispatcher | undefined) => Dispatcher,
): Promise<Answer> {
  if (init !== undefined && init !== null && typeof init !== 'object' && typeof init !== 'function') {
    return fetch(input, init)
  }
  try {
    const given = (init ?? {}) as Readonly<Record<string, unknown>>
    const dispatcher = make(namedDispatcher(input, given))
    return fetch(input, Object.assign(membersOf(given), { dispatcher }))
  } catch (error) {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- goes on as it was thrown
    return Promise.reject(error)
  }
}

function membersOf(init: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  // Inherited members count, too: a Request may stand here.
  for (const name in init) members[name] = init[name]
  if (isPlain(init)) return members
  // So do those that a loop does not see: the accessors of a class.
  for (const name of INIT_MEMBERS) {
    if (!(name in members) && init[name] !== undefined) members[name] = init[name]
  }
  return members
}

function isPlain(given: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(given)
  return prototype === Object.prototype || prototype === null
}
