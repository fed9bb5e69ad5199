import { constants } from 'node:os'
import { runOutside, tryCurrentWaybill } from '@waybill/core/adapter'
import type { Kit } from '@waybill/core/adapter'
import { hostOf, hostView, isView } from './host-view.js'
import { isOwnEnd, linkTo, type LinkedHost } from './links.js'
import { WORKER_EVENT_REMEDY } from './loss-remedies.js'
import { ScopedListeners, type EventSource } from './scoped-listeners.js'
import { Sender, type SendMethod } from './sender.js'
import { sendTask } from './send-task.js'
import { startWith } from './worker-start.js'

/**
 * What is used of either end: a `Worker` or a forked `ChildProcess`, and in it `parentPort` or `process`. One of
 * `postMessage` and `send` is there.
 */
export interface WorkerEnd extends EventSource {
  listenerCount(name: string): number
}

type Host = WorkerEnd & LinkedHost & { readonly [Name in SendMethod]?: (...args: unknown[]) => unknown }

/** By which an application may end the other side, or the connection to it. */
const ENDS: ReadonlySet<string | symbol> = new Set(['disconnect', 'terminate', 'kill'])

/** Signals that end a process which does nothing about them. 0 asks whether it lives. */
const ENDING = ['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGQUIT', 'SIGABRT', 'SIGHUP'] as const

/** True where the application ends the other side by this, or the connection to it. */
function ends(host: object, name: string | symbol, [signal]: readonly unknown[]): boolean {
  if (name === 'disconnect' || name === 'terminate') return true
  if (name !== 'kill' || isOwnEnd(host)) return false
  return signal === undefined || ENDING.some((each) => signal === each || signal === constants.signals[each])
}

/**
 * Wraps one end of a worker thread or forked process: a message that is sent through the wrapper carries the sender's
 * waybill, and one that is received runs in it. Other events run in no scope. A side that is not prepared, by
 * `waybillWorker` or by this wrapper, gets bare messages. The host's object is left as it is. Wrapping a wrapper of the
 * same kit returns it.
 *
 * Whoever wraps an end listens to its messages through the wrapper, or by a function of `waybillWorker`.
 *
 * @param worker the worker, or a function that makes it: then what `waybillWorker(fn)(workerData)` does in the worker
 * runs in the waybill in which it was made, and the worker itself belongs to nobody's scope.
 */
export function workerWaybill<End extends WorkerEnd>(kit: Kit, worker: End | (() => End)): End {
  const end = typeof worker === 'function' ? start(kit, worker) : worker
  if (kit.disabled || isView(kit, end)) return end
  const host = hostOf(end)
  const views = known.get(host) ?? new WeakMap<Kit, WorkerEnd>()
  known.set(host, views)
  const view = (views.get(kit) as End | undefined) ?? viewOf(kit, host)
  views.set(kit, view)
  return view
}

/** One view for each end and kit: messages that wait in two would lose their order. */
const known = new WeakMap<object, WeakMap<Kit, WorkerEnd>>()

/** Made in no scope, so that whatever the worker's object keeps holds on to no request. */
function start<End>(kit: Kit, make: () => End): End {
  if (kit.disabled) return make()
  let baggage: string | undefined
  if (tryCurrentWaybill() !== undefined) {
    sendTask(kit, undefined, (text) => {
      baggage = text
      return Promise.resolve()
    }).catch(() => {
      // The worker starts without a waybill; what an interceptor refused stands in the `refused` event.
    })
  }
  return startWith(baggage, () => runOutside(WORKER_EVENT_REMEDY, make))
}

function viewOf<End extends WorkerEnd>(kit: Kit, end: End): End {
  const host = end as Host
  const link = linkTo(kit, host)
  const sends: SendMethod = typeof host.postMessage === 'function' ? 'postMessage' : 'send'
  const sender = new Sender(kit, host, sends, link)
  const heardBare = (): void => {
    sender.heardBare()
  }
  const listeners = new ScopedListeners(kit, host, link && { key: link.own, heardBare })
  return hostView(kit, end, (name, view) => {
    if (name === sends) return (...args: unknown[]) => sender.send(args)
    if (!ENDS.has(name)) return listeners.method(name, view)
    return (...args: unknown[]) => {
      if (ends(host, name, args)) sender.release()
      return (host as unknown as Record<string | symbol, (...args: unknown[]) => unknown>)[name]?.(...args)
    }
  })
}
