import { runOutside } from '@waybill/core/adapter'
import type { Kit } from '@waybill/core/adapter'
import { open } from './envelope.js'
import { WORKER_EVENT_REMEDY } from './loss-remedies.js'
import { unpackError } from './task-error.js'
import { runTask } from './task-scope.js'

type Listener = (this: unknown, ...args: unknown[]) => unknown

/** The emitter of a worker's events, in the words of Node. */
export interface EventSource {
  on(name: string, listener: HostListener): unknown
  off(name: string, listener: HostListener): unknown
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as Node's own types have it; nothing else fits them
type HostListener = (...args: any[]) => void

/** Of a port whose messages come in envelopes. */
export interface Incoming {
  /** The key under which they are opened. */
  readonly key: string
  /** Is told of each message that came bare. */
  heardBare(): void
}

const ADDS: ReadonlySet<string | symbol> = new Set([
  'on',
  'addListener',
  'prependListener',
  'once',
  'prependOnceListener',
])
const REMOVES: ReadonlySet<string | symbol> = new Set(['off', 'removeListener'])

/**
 * Listeners to a worker or pool as they are put on the host's object. A worker is made in whatever scope first needs it
 * and would run them all there (OBS-16); here a message runs in the waybill that came with it, and all else in none.
 *
 * One function stands for a listener to an event for good, so that the host counts, finds and removes it as it would
 * the listener itself.
 */
export class ScopedListeners {
  readonly #kit: Kit
  readonly #source: EventSource
  readonly #incoming: Incoming | undefined
  readonly #scoped = new WeakMap<Listener, Map<string | symbol, Listener>>()

  /** @param incoming undefined: messages of this source belong to nobody. */
  constructor(kit: Kit, source: EventSource, incoming?: Incoming) {
    this.#kit = kit
    this.#source = source
    this.#incoming = incoming
  }

  /** The host's method of this name, for scoped listeners; undefined where it is none that adds or removes them. */
  method<View>(name: string | symbol, view: View): ((...args: unknown[]) => View) | undefined {
    const adds = ADDS.has(name)
    if (!adds && !REMOVES.has(name)) return undefined
    return (...args) => {
      const [event, listener] = args as [string | symbol, Listener]
      // What is no listener is the host's to refuse.
      const scoped = typeof listener === 'function' ? this.#find(event, listener, adds) : undefined
      const { [name]: change } = this.#source as unknown as Record<string | symbol, Listener>
      change?.apply(this.#source, scoped === undefined ? args : [event, scoped])
      return view
    }
  }

  #find(event: string | symbol, listener: Listener, make: boolean): Listener | undefined {
    const known = this.#scoped.get(listener)?.get(event)
    if (known !== undefined || !make) return known
    // By this member Node shows the listener itself.
    const scoped = Object.assign(this.#scope(event, listener), { listener })
    const byEvent = this.#scoped.get(listener) ?? new Map<string | symbol, Listener>()
    this.#scoped.set(listener, byEvent.set(event, scoped))
    return scoped
  }

  #scope(event: string | symbol, listener: Listener): Listener {
    const outside = (receiver: unknown, args: unknown[]): unknown =>
      runOutside(WORKER_EVENT_REMEDY, () => listener.apply(receiver, args))
    const kit = this.#kit
    const incoming = this.#incoming
    if (event === 'message' && incoming !== undefined) {
      return function (this: unknown, ...args) {
        const [message, ...rest] = args
        const opened = open(incoming.key, message)
        if (opened !== undefined) {
          return runTask(kit, opened, () => listener.apply(this, [opened.value, ...rest]))
        }
        incoming.heardBare()
        return outside(this, args)
      }
    }
    if (event === 'error') {
      return function (this: unknown, error, ...rest) {
        return outside(this, [unpackError(error), ...rest])
      }
    }
    return function (this: unknown, ...args) {
      return outside(this, args)
    }
  }
}
