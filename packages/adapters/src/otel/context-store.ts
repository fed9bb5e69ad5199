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
    return context.with(context.active().setValue(KEY, held), () => {
      if (context.active().getValue(KEY) !== held) return this.#own.run(waybill, fn)
      const below = this.#own.current()
      return below === undefined ? fn() : this.#own.run(insteadOf(below, waybill), fn)
    })
  }
}

/**
 * What the store below holds in a scope, where it holds one around it, of a seam or of the time before the SDK: a root context in
 * here would show that. A scope of the same request takes its place, before any other there is none.
 */
function insteadOf({ origin }: NonNullable<Scope>, waybill: Scope): Scope {
  return origin !== undefined && origin === waybill?.origin ? waybill : undefined
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
