import { AsyncResource } from 'node:async_hooks'
import type { EventEmitter } from 'node:events'
import { parentPort } from 'node:worker_threads'
import { optionsOf, runOutside, tryCurrentWaybill } from '@waybill/core/adapter'
import type { Kit } from '@waybill/core/adapter'
import { announcement, isReadByAnother, readAnnouncement } from './announcement.js'
import { open, seal } from './envelope.js'
import { heldArguments } from './held-arguments.js'
import { hostView, isView } from './host-view.js'
import { Outbox } from './outbox.js'
import { ScopedListeners, type EventSource } from './scoped-listeners.js'
import { sendTask } from './send-task.js'
import { tellUnprepared } from './task-scope.js'
import { startWith } from './worker-start.js'

/**
 * What is used of either end: a `Worker` or a forked `ChildProcess`, and in it `parentPort` or `process`. One of
 * `postMessage` and `send` is there.
 */
export interface WorkerEnd extends EventSource {
  listenerCount(name: string): number
}

type Method = 'postMessage' | 'send'
type Host = WorkerEnd & { readonly [Name in Method]?: (...args: unknown[]) => unknown }

/**
 * Wraps one end of a worker thread or forked process: a message that is sent through the wrapper carries the sender's
 * waybill, and one that is received runs in it. Other events run in no scope. A side that is not prepared, by
 * `waybillWorker` or by this wrapper, gets bare messages. The host's object is left as it is. Wrapping a wrapper of the
 * same kit returns it.
 *
 * @param worker the worker, or a function that makes it: then what `waybillWorker(fn)(workerData)` does in the worker
 * runs in the waybill in which it was made, and the worker itself belongs to nobody's scope.
 */
export function workerWaybill<End extends WorkerEnd>(kit: Kit, worker: End | (() => End)): End {
  const host = typeof worker === 'function' ? start(kit, worker) : worker
  if (kit.disabled || isView(kit, host)) return host
  return new WrappedEnd(kit, host).view as End
}

/** Made in no scope, so that whatever the worker's object keeps holds on to no request. */
function start<End>(kit: Kit, make: () => End): End {
  let baggage: string | undefined
  if (!kit.disabled && tryCurrentWaybill() !== undefined) {
    void sendTask(kit, undefined, (text) => {
      baggage = text
      return Promise.resolve()
    })
  }
  return startWith(baggage, () => runOutside('worker-event', make))
}

class WrappedEnd {
  readonly view: WorkerEnd
  readonly #kit: Kit
  readonly #host: Host
  readonly #method: Method
  readonly #outbox: Outbox
  /** True at the end of the worker, which is the one to speak first. */
  readonly #inWorker: boolean
  /** True in a worker of a pool, which knows no announcements. */
  readonly #ofPool: boolean
  /** Messages that came before anybody listened; Node keeps those of a process for the first listener. */
  readonly #early: unknown[][] = []
  #hears = false
  #listens = false
  #announced = false
  #greeted = false
  #told = false

  constructor(kit: Kit, host: Host) {
    this.#kit = kit
    this.#host = host
    this.#method = typeof host.postMessage === 'function' ? 'postMessage' : 'send'
    this.#inWorker = (host as object) === parentPort || (host as object) === process
    this.#ofPool = this.#inWorker && isReadByAnother(host)
    this.#outbox = new Outbox(() => {
      this.#tellBare()
    })
    if (this.#ofPool) this.#outbox.settle(false)
    else if (!this.#inWorker) this.#watch()
    const listeners = new ScopedListeners(kit, host, (sends) => {
      this.#heard(sends)
    })
    this.view = hostView(kit, host, (name, view) => {
      if (name === this.#method) return (...args: unknown[]) => this.#send(args)
      const method = listeners.method(name, view)
      return (
        method &&
        ((event, listener) => {
          method(event, listener)
          if (event === 'message' && !REMOVES.has(name)) this.#listen()
          return view
        })
      )
    })
  }

  /** At the end of whoever made the worker. */
  #watch(): void {
    runOutside('worker-event', () => {
      const started = (): void => {
        this.#outbox.restart()
      }
      this.#host.on('online', started)
      this.#host.on('spawn', started)
      this.#host.on('exit', () => {
        this.#outbox.settle(false)
      })
      if (this.#method === 'postMessage') this.#hear()
    })
  }

  /** Listens for the announcement, whether or not the application listens. */
  #hear(): void {
    if (this.#hears) return
    this.#hears = true
    runOutside('worker-event', () =>
      this.#host.on('message', (...args: unknown[]) => {
        const sends = readAnnouncement(args[0])
        if (sends === undefined && this.#method === 'send' && !this.#listens) this.#early.push(args)
        if (sends !== undefined || open(args[0]) === undefined) this.#heard(sends)
      }),
    )
  }

  #heard(sends: boolean | undefined): void {
    // First the answer: what is held goes out in envelopes, and may itself be answered in one.
    if (sends === true) this.#announce()
    this.#outbox.settle(sends !== undefined)
  }

  /** The application listens through the wrapper from now on. */
  #listen(): void {
    if (this.#listens) return
    this.#listens = true
    if (this.#inWorker && !this.#ofPool) this.#announce()
    const early = this.#early.splice(0)
    process.nextTick(() => {
      for (const args of early) (this.#host as unknown as EventEmitter).emit('message', ...args)
    })
  }

  #announce(): void {
    if (this.#announced) return
    this.#announced = true
    this.#host[this.#method]?.(announcement(this.#inWorker))
  }

  #send(args: unknown[]): unknown {
    const { prepared, empty } = this.#outbox
    // A worker's first word belongs to no task, and whoever started the worker may not open envelopes.
    const bare = this.#inWorker && tryCurrentWaybill() === undefined && prepared !== true && empty
    // The last is the host's to refuse.
    if (this.#kit.disabled || bare || args[0] === undefined) return this.#post(args)
    if (prepared === true) return this.#sendNow(args)
    if (prepared === undefined) return this.#sendLater(args)
    this.#tellBare()
    return this.#post(args)
  }

  /** What the host throws is thrown where it was called, as without the wrapper. */
  #sendNow(args: unknown[]): unknown {
    let result: unknown
    let failure: { readonly error: unknown } | undefined
    sendTask(this.#kit, undefined, (baggage) => {
      try {
        result = this.#post(this.#sealed(baggage, args))
        return Promise.resolve()
      } catch (error) {
        failure = { error }
        return rejected(error)
      }
    }).catch(toldByEvents)
    if (failure === undefined) return result
    throw failure.error
  }

  #sendLater(args: unknown[]): boolean {
    if (!this.#inWorker) this.#hear()
    const held = heldArguments(this.#method, args)
    sendTask(
      this.#kit,
      undefined,
      (baggage) =>
        new Promise<void>((resolve, reject) => {
          const deliver = (sealed: boolean): void => {
            try {
              this.#post(sealed ? this.#sealed(baggage, held) : held)
              resolve()
            } catch (error) {
              // The others that are held go out all the same.
              // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- goes on as it was thrown
              reject(error)
            }
          }
          // A callback among the arguments runs in the scope of who sent.
          this.#outbox.hold(AsyncResource.bind(deliver))
        }),
    ).catch(toldByEvents)
    return true
  }

  #sealed(baggage: string, [value, ...rest]: unknown[]): unknown[] {
    const kit = this.#greeted || this.#inWorker ? undefined : optionsOf(this.#kit)
    this.#greeted = true
    return [seal(baggage, value, kit), ...rest]
  }

  #post(args: unknown[]): unknown {
    return this.#host[this.#method]?.(...args)
  }

  #tellBare(): void {
    if (this.#told) return
    this.#told = true
    tellUnprepared(
      this.#kit,
      'Prepare the other side: waybillWorker(fn) in the worker, workerWaybill(kit, …) at both ends.',
    )
  }
}

const REMOVES: ReadonlySet<string | symbol> = new Set(['off', 'removeListener'])

/** Whoever sends a message waits for nothing: what an interceptor refused stands in the `refused` event, all else in `settled`. */
function toldByEvents(): void {
  // Nobody to tell.
}

function rejected(error: unknown): Promise<never> {
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- goes on as it was thrown
  return Promise.reject(error)
}
