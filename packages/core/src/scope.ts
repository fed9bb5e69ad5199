import { AsyncLocalStorage } from 'node:async_hooks'
import { WaybillError } from './errors.js'
import { installLast } from './install-last.js'
import { rendezvous } from './rendezvous.js'
import { WaybillRecord, type Waybill } from './waybill.js'

/**
 * Where the current waybill lives. There is one store at a time: the kit's own AsyncLocalStorage, or one that
 * {@link installScopeStore} put in its place.
 */
export interface ScopeStore {
  current(): WaybillRecord | undefined
  /** Runs `fn` in the scope of the waybill, or in none. */
  run<T>(waybill: WaybillRecord | undefined, fn: () => T): T
}

class LocalScopeStore implements ScopeStore {
  readonly #storage = new AsyncLocalStorage<WaybillRecord | undefined>()

  current(): WaybillRecord | undefined {
    return this.#storage.getStore()
  }

  run<T>(waybill: WaybillRecord | undefined, fn: () => T): T {
    return this.#storage.run(waybill, fn)
  }
}

function store(): ScopeStore {
  const shared = rendezvous()
  return (shared.store ??= shared.ownStore ??= new LocalScopeStore())
}

/**
 * Puts another store in the place of the current one, for the whole process.
 * @param make is given the store so far, to fall back on.
 * @returns an undo that restores the very store that counted before; in any order.
 */
export function installScopeStore(make: (own: ScopeStore) => ScopeStore): () => void {
  const shared = rendezvous()
  return installLast((shared.stores ??= []), make(store()), (last) => {
    shared.store = last ?? shared.ownStore
  })
}

/** Runs `fn` in the scope of a waybill, or in none. */
export function runInScope<T>(waybill: WaybillRecord | undefined, fn: () => T): T {
  const scopes = store()
  // Entering the scope that one is in already costs a copied map on Node 24.
  return scopes.current() === waybill ? fn() : scopes.run(waybill, fn)
}

/** The same for a waybill made just now, whose scope nobody can be in. */
export function runInNewScope<T>(waybill: WaybillRecord, fn: () => T): T {
  return store().run(waybill, fn)
}

/**
 * The same below all that the application has loaded: an instrumentation may stand between this and the handler, and begin a
 * context that hides what the store of contexts holds. Then the kit's own store knows. It is entered last: a store of contexts
 * keeps nothing where the scope is the current one already.
 */
export function runBelow<T>(waybill: WaybillRecord, fn: () => T): T {
  const scopes = store()
  const { ownStore } = rendezvous()
  return ownStore === undefined || ownStore === scopes
    ? scopes.run(waybill, fn)
    : scopes.run(waybill, () => ownStore.run(waybill, fn))
}

/** The waybill in whose scope this code runs. */
export function tryCurrentRecord(): WaybillRecord | undefined {
  const current = store().current()
  return current?.nowhere === undefined ? current : undefined
}

/**
 * Runs `fn`, and what it starts, in no scope, whatever scope this is: for code of the application that a host library
 * calls on behalf of nobody in particular.
 * @param remedy what the `lost` event of a call that is made there advises: a sentence that ends in the place to read on.
 * @param options.callersCount false where nobody knows whose the headers of a call are that is made there: then it bears
 * the root waybill. Default true: they count, as outside of any request.
 */
export function runOutside<T>(
  remedy: string,
  fn: () => T,
  { callersCount = true }: { readonly callersCount?: boolean } = {},
): T {
  return store().run(WaybillRecord.nowhere({ remedy, callersCount }), fn)
}

/** What to do about a call made in no scope, where the place knows it. */
export function remedyHere(): string | undefined {
  return store().current()?.nowhere?.remedy
}

/** True where the headers that a caller has put on a call made in no scope say what it bears. */
export function callersCountHere(): boolean {
  return store().current()?.nowhere?.callersCount !== false
}

/** @throws WaybillError ERR_WAYBILL_NO_SCOPE */
export function currentRecord(asked: string): WaybillRecord {
  const current = tryCurrentRecord()
  if (current === undefined) throw new WaybillError('ERR_WAYBILL_NO_SCOPE', { asked })
  return current
}

/** The waybill in whose scope this code runs, or undefined outside of any. Never throws. */
export function tryCurrentWaybill(): Waybill | undefined {
  try {
    return tryCurrentRecord()
  } catch {
    // A copy with another protocol holds the store; createKit reports it, a reader need not fail for it.
    return undefined
  }
}

/**
 * The waybill in whose scope this code runs.
 * @throws WaybillError ERR_WAYBILL_NO_SCOPE outside of any.
 */
export function currentWaybill(): Waybill {
  return currentRecord('currentWaybill')
}

/**
 * Runs `fn` in the scope of a waybill, typically one made by `currentWaybill().with({ … })`. Returns what `fn` returns.
 * @throws WaybillError ERR_WAYBILL_INVALID_VALUE for what is no waybill of the kit.
 */
export function runWithWaybill<T>(waybill: Waybill, fn: () => T): T {
  // Asked by a method: a waybill may come from another copy of the package.
  if (typeof (waybill as Partial<WaybillRecord> | undefined)?.written !== 'function') {
    throw new WaybillError('ERR_WAYBILL_INVALID_VALUE', { field: 'waybill', problem: 'not one of the kit' })
  }
  return runInScope(waybill as WaybillRecord, fn)
}

/** A function that runs `fn` in the scope in which it was bound, whoever calls it; bound in no scope, it runs in none. */
export function bindWaybill<This, Args extends unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
): (this: This, ...args: Args) => Result {
  // A closure and one run cost 26 ns; AsyncLocalStorage.bind costs 2 to 23 µs.
  const waybill = tryCurrentRecord()
  return function (this: This, ...args: Args): Result {
    return runInScope(waybill, () => fn.apply(this, args))
  }
}
