import { runOutside } from '@waybill/core/adapter'
import type { Kit } from '@waybill/core/adapter'
import { readAnnouncement } from './announcement.js'
import { open } from './envelope.js'
import { runTask } from './task-scope.js'

type Listener = (this: unknown, ...args: unknown[]) => unknown

/** The emitter of a worker's events, in the words of Node. */
export interface EventSource {
  on(name: string, listener: HostListener): unknown
  off(name: string, listener: HostListener): unknown
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as Node's own types have it; nothing else fits them
type HostListener = (...args: any[]) => void

/**
 * Listeners to a worker or pool as they are put on the host's object. A worker is made in whatever scope first needs it
 * and would run them all there (OBS-16); here a message runs in the waybill that came with it, and all else in none.
 */
export class ScopedListeners {
  readonly #kit: Kit
  readonly #source: EventSource
  readonly #heard: (sends: boolean | undefined) => void
  readonly #scoped = new WeakMap<Listener, Map<string | symbol, Listener[]>>()

  /**
   * @param heard is told of each message: whether the other side opens envelopes and wants to hear the same, or
   * undefined for a bare message.
   */
  constructor(kit: Kit, source: EventSource, heard: (sends: boolean | undefined) => void = () => {}) {
    this.#kit = kit
    this.#source = source
    this.#heard = heard
  }

  /** The host's method of this name, for scoped listeners; undefined where it is none that adds or removes them. */
  method<View>(name: string | symbol, view: View): ((event: string, listener: Listener) => View) | undefined {
    const change = this.#change(name)
    if (change === undefined) return undefined
    return (event, listener) => {
      change(event, listener)
      return view
    }
  }

  #change(name: string | symbol): ((event: string, listener: Listener) => void) | undefined {
    switch (name) {
      case 'on':
      case 'addListener':
        return (event, listener) => this.#add('on', event, listener, this.#scope(event, listener))
      case 'prependListener':
        return (event, listener) => this.#add(name, event, listener, this.#scope(event, listener))
      case 'once':
        return (event, listener) => this.#add('on', event, listener, this.#once(event, listener))
      case 'prependOnceListener':
        return (event, listener) => this.#add('prependListener', event, listener, this.#once(event, listener))
      case 'off':
      case 'removeListener':
        return (event, listener) => this.#remove(event, listener)
      default:
        return undefined
    }
  }

  #remove(event: string, listener: Listener): void {
    this.#call('off', event, this.#scoped.get(listener)?.get(event)?.pop() ?? listener)
  }

  #add(method: string, event: string, listener: Listener, scoped: Listener): void {
    let byEvent = this.#scoped.get(listener)
    if (byEvent === undefined) this.#scoped.set(listener, (byEvent = new Map<string | symbol, Listener[]>()))
    const known = byEvent.get(event)
    if (known === undefined) byEvent.set(event, [scoped])
    else known.push(scoped)
    // By this member Node shows the listener itself, and finds it to remove.
    this.#call(method, event, Object.assign(scoped, { listener }))
  }

  #call(method: string, event: string, listener: Listener): void {
    const { [method]: host } = this.#source as unknown as Record<string, Listener>
    host?.call(this.#source, event, listener)
  }

  /** Not the host's `once`: an announcement in the place of the first message would use it up. */
  #once(event: string, listener: Listener): Listener {
    const remove = (): void => {
      this.#remove(event, listener)
    }
    return this.#scope(event, function (this: unknown, ...args) {
      remove()
      return listener.apply(this, args)
    })
  }

  #scope(event: string, listener: Listener): Listener {
    const outside = (receiver: unknown, args: unknown[]): unknown =>
      runOutside('worker-event', () => listener.apply(receiver, args))
    if (event !== 'message') {
      return function (this: unknown, ...args) {
        return outside(this, args)
      }
    }
    const kit = this.#kit
    const heard = this.#heard
    return function (this: unknown, ...args) {
      const [message, ...rest] = args
      const sends = readAnnouncement(message)
      if (sends !== undefined) {
        heard(sends)
        return undefined
      }
      const opened = open(message)
      if (opened === undefined) {
        heard(undefined)
        return outside(this, args)
      }
      return runTask(kit, opened, () => listener.apply(this, [opened.value, ...rest]))
    }
  }
}
