import { createHook } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  checkArgument,
  checkOptions,
  currentOrigin,
  LossReporter,
  requestOrigin,
  type Kit,
} from '@waybill/core/adapter'
import { AFTER_REPLY_REMEDY, REPEATING_TIMER_REMEDY } from './loss-remedies.js'
import { checkResourceTypes, isSocket, isTimer, NO_PROMISES, repeats } from './resource-types.js'

/** What {@link watchScopes} lets pass. */
export interface WatchScopesOptions {
  /** Milliseconds after the reply has closed in which timers and sockets may still be made. Default 1000. */
  readonly graceMs?: number
}

/** Node publishes it for each request of an HTTP/1 server, before any listener. */
const REQUEST_START = 'http.server.request.start'

const CALL = 'watchScopes(kit, options)'

/**
 * Watches, while one develops, what outlives its request: publishes `lost` for a repeating timer that is made in the
 * scope of an arrival, and for any timer or socket that is made in that of a request later than `graceMs` after its reply
 * has closed. Each place once, at most 1,000 places. In production it does nothing.
 *
 * It hooks into every asynchronous resource of the process, and costs accordingly; before Node 24 of promises, too, which
 * it passes over.
 * @returns an undo.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION where the runtime does not tell of its resources by the names, internal to Node,
 * on which this rests, and for an argument or an option that is none.
 */
export function watchScopes(kit: Kit, options: WatchScopesOptions = {}): () => void {
  checkArgument(CALL, 'kit', kit, 'kit')
  checkOptions(CALL, options, { graceMs: 'milliseconds' })
  const { graceMs = 1000 } = options
  if (kit.facts.production) return () => {}
  checkResourceTypes()

  const closedAt = new WeakMap<object, number>()
  const watchReply = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    const origin = requestOrigin(request)
    response.once('close', () => closedAt.set(origin, performance.now()))
  }
  const reporter = new LossReporter()
  let reporting = false

  const init = (_id: number, type: string, _trigger: number, resource: object): void => {
    const timer = isTimer(type)
    if ((!timer && !isSocket(type)) || reporting) return
    const origin = currentOrigin()
    if (origin === undefined) return
    const closed = closedAt.get(origin)
    const late = closed !== undefined && performance.now() - closed > graceMs
    const repeating = timer && repeats(resource)
    if (!late && !repeating) return
    // A subscriber may make timers itself.
    reporting = true
    try {
      reporter.report(
        timer ? 'timer' : 'socket',
        repeating ? REPEATING_TIMER_REMEDY : AFTER_REPLY_REMEDY,
        init,
      )
    } finally {
      reporting = false
    }
  }
  subscribe(REQUEST_START, watchReply)
  const hook = createHook({ init, ...NO_PROMISES }).enable()
  return () => {
    hook.disable()
    unsubscribe(REQUEST_START, watchReply)
  }
}
