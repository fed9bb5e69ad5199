import { context, createContextKey, type Context } from '@opentelemetry/api'
import type { ScopeStore, Waybill } from '@waybill/core/adapter'
import { adoptedIn } from './adopted-requests.js'

type Scope = ReturnType<ScopeStore['current']>

// createContextKey is Symbol.for: all copies of this room share one place.
const KEY = createContextKey('@waybill/core.scope')

/** Stands for no scope where an outer context, or the store below, holds one. */
const NONE = createContextKey('@waybill/core.no-scope')

/**
 * Keeps the current waybill in the OpenTelemetry context, so that the two cannot disagree on which scope is the inner one.
 * While no context manager is registered nothing can be kept there, and the store so far is used.
 */
export class ContextStore implements ScopeStore {
  readonly #own: ScopeStore

  constructor(own: ScopeStore) {
    this.#own = own
  }

  current(): Scope {
    const held = heldIn(context.active())
    return held === undefined ? this.#own.current() : scopeOf(held)
  }

  run<T>(waybill: Scope, fn: () => T): T {
    if (this.current() === waybill) return fn()
    const held = waybill ?? NONE
    return context.with(context.active().setValue(KEY, held), () =>
      context.active().getValue(KEY) === held ? fn() : this.#own.run(waybill, fn),
    )
  }
}

/** The waybill that a context holds, whether or not it is the active one. */
export function waybillIn(held: Context): Waybill | undefined {
  const scope = scopeOf(heldIn(held))
  return scope?.nowhere === undefined ? scope : undefined
}

function heldIn(held: Context): unknown {
  return held.getValue(KEY) ?? adoptedIn(held)
}

function scopeOf(held: unknown): Scope {
  return held === NONE ? undefined : (held as Scope)
}
