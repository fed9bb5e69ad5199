import { subscribe } from 'node:diagnostics_channel'
import { sentOf, type Target } from '@waybill/core/adapter'
import { connectTimer } from './connect-timer.js'
import { connectTimedOut, unreachable } from './connection.js'
import type { DispatchHandler } from './dispatcher.js'
import { failHop, watchedHandler } from './watched-handler.js'

/** A hop that is being handed to undici. */
interface Handed {
  readonly origin: string
  connecting: boolean
  /** A connection is being opened for it. */
  connects(): void
}

/** The hop whose `dispatch` is running. */
let current: Handed | undefined
/** In order, those whose `dispatch` ran in this turn: undici looks at a body that is a generator a microtask later. */
const fresh = new Set<Handed>()
let subscribed = false

/**
 * Dispatches a hop and waits `target.connectMs` for the connection that undici opens for it, TLS handshake included.
 * Where none is opened for it, the hop waits for one that others use, and no wait for a turn counts: what stands in front
 * of it may be an instance at a breakpoint, which is there. undici's own limit of connecting holds in any case.
 * @param origin where undici connects to. @param dispatch hands the hop to undici, with the handler that it is given.
 */
export function boundConnect(
  target: Target,
  origin: string,
  handler: DispatchHandler,
  dispatch: (handler: DispatchHandler) => boolean,
): boolean {
  let connected = false
  let late: Error | undefined
  let stopTimer: (() => void) | undefined
  const { connectMs } = target
  const watched = watchedHandler(handler, {
    started(abort, forward) {
      stopTimer?.()
      connected = true
      if (late === undefined) forward()
      else abort(late)
    },
    ended(error, forward) {
      stopTimer?.()
      if (late !== undefined) return
      if (error !== undefined && !connected && sentOf(error) === 'no')
        failHop(handler, unreachable(target, error))
      else forward()
    },
  })
  if (connectMs === undefined) return dispatch(watched)
  return handOver(dispatch, watched, {
    origin: new URL(origin).origin,
    connecting: false,
    connects() {
      this.connecting = true
      stopTimer = connectTimer(connectMs, () => {
        late = unreachable(target, connectTimedOut(target))
        failHop(handler, late)
      })
    },
  })
}

function handOver(
  dispatch: (handler: DispatchHandler) => boolean,
  handler: DispatchHandler,
  handed: Handed,
): boolean {
  if (!subscribed) subscribe('undici:client:beforeConnect', hearConnect)
  subscribed = true
  const outer = current
  current = handed
  fresh.add(handed)
  try {
    return dispatch(handler)
  } finally {
    current = outer
    // After undici's own microtask, which is there already.
    queueMicrotask(() => fresh.delete(handed))
  }
}

/** undici tells of a connection, in the words of all its versions, before it opens it; not for which hop. */
function hearConnect(message: unknown): void {
  const { connectParams } = message as { connectParams: { protocol: string; host: string } }
  const origin = `${connectParams.protocol}//${connectParams.host}`
  const isFor = (handed: Handed): boolean => handed.origin === origin && !handed.connecting
  const handed = current !== undefined && isFor(current) ? current : [...fresh].find(isFor)
  handed?.connects()
}
