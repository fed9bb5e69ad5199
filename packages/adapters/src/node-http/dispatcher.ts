/** What undici and the built-in fetch send with: called once for each network hop. */
export interface Dispatcher {
  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean
}

/** One network hop, as undici describes it. What is not named here goes on untouched. */
export interface DispatchOptions {
  readonly [option: string]: unknown
  readonly origin?: string | URL
  readonly path: string
  readonly method: string
  readonly headers?: unknown
  readonly body?: unknown
}

/** Ends a hop that is under way. */
export type AbortHop = (reason: Error) => void

/**
 * The listener of one hop, with callbacks of one of two styles: those of the built-in fetch and undici 6, which begin
 * with `onConnect`, or those of undici 8 and the interceptors of undici 7, which begin with `onRequestStart` and are
 * given a controller.
 */
export interface DispatchHandler {
  onConnect?(abort: AbortHop, context: unknown): void
  onUpgrade?(status: number, headers: unknown, socket: unknown): void
  /** Returns false where the body has to wait for `resume`. */
  onHeaders?(status: number, headers: unknown, resume: () => void, text: string): boolean
  onData?(chunk: unknown): boolean
  onComplete?(trailers: unknown): void
  onError?(error: unknown): void

  onRequestStart?(controller: HopController, context: unknown): void
  onRequestUpgrade?(controller: HopController, status: number, headers: unknown, socket: unknown): void
  onResponseStart?(controller: HopController, status: number, headers: unknown, text: string): void
  onResponseData?(controller: HopController, chunk: unknown): void
  onResponseEnd?(controller: HopController, trailers: unknown): void
  /** Without a controller where the hop has not begun. */
  onResponseError?(controller: HopController | null, error: unknown): void

  readonly onResponseStarted?: (() => void) | undefined
  readonly onBodySent?: ((...args: unknown[]) => void) | undefined
  readonly onRequestSent?: ((...args: unknown[]) => void) | undefined
}

/** What a handler of the second style steers its hop with. */
export interface HopController {
  readonly aborted: boolean
  readonly reason: unknown
  readonly paused: boolean
  readonly rawHeaders?: unknown
  readonly rawTrailers?: unknown
  pause(): void
  resume(): void
  abort(reason: Error): void
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

const GLOBAL = Symbol.for('undici.globalDispatcher.1')

/** The dispatcher that fetch uses where a call names none. */
export function globalDispatcher(): Dispatcher {
  const known = (globalThis as Record<symbol, unknown>)[GLOBAL]
  // Node loads its undici at the first look at one of the classes, and that puts the dispatcher there.
  if (known === undefined) void globalThis.Headers
  return (known ?? (globalThis as Record<symbol, unknown>)[GLOBAL]) as Dispatcher
}
