import type { Call, Reply } from './call.js'
import { engineOf, type Engine } from './engine.js'
import { isWaybillError } from './errors.js'
import type { Kit } from './kit.js'
import type { CallEntry, LostPlace } from './lost-place.js'
import { describe, destinationOf, type OutgoingCall } from './outgoing-call.js'
import { refuseLoop } from './refuse-loop.js'
import { remedyHere, tryCurrentRecord } from './scope.js'
import { sendable, type Send } from './send-attempt.js'
import { noteServed, settle, tellRefused } from './settle.js'

/**
 * Takes a call through the kit's interceptors to the wire. `send` is called once for each attempt, with the call as
 * the interceptors left it and with the stamp for its headers.
 * @throws the client's own error, untouched, or a WaybillError where the kit or an interceptor refused.
 */
export function performCall<Value>(
  kit: Kit,
  outgoing: OutgoingCall,
  send: Send<Value>,
): Promise<Reply<Value>> {
  // No async function: before Node 24 an AsyncLocalStorage follows each promise, and this one makes fewer.
  try {
    const engine = engineOf(kit)
    const scope = tryCurrentRecord()
    const destination = destinationOf(engine, outgoing)
    if (scope === undefined && destination.fleet) {
      engine.loss.callWithoutScope(outgoing.kind, remedyHere(), placeIn(outgoing) ?? performCall)
    }
    const call = describe(engine, outgoing, destination, scope)
    sendable(call, {
      engine,
      send,
      root: scope === undefined ? call.waybill : undefined,
      dedicatedHeaders: outgoing.kind !== 'message' || outgoing.dedicatedHeaders === true,
    })
    const started = engine.channels.settled.hasSubscribers ? performance.now() : undefined
    return pass(engine, call).then(
      (reply) => {
        settle(engine, call, started, reply.status, undefined)
        noteServed(call, scope, reply)
        return reply as Reply<Value>
      },
      (error: unknown) => {
        // An unreachable instance was tried; all else with a code of ours was refused before a byte left.
        if (isWaybillError(error) && error.code !== 'ERR_WAYBILL_UNREACHABLE')
          tellRefused(engine, call, error)
        else settle(engine, call, started, undefined, error)
        throw error
      },
    )
  } catch (error) {
    return rejected(error)
  }
}

/**
 * Where in the application this is called from, to be handed to {@link performCall} in a later turn. Undefined where nobody
 * would be told of it, as in any scope.
 * @param entry the adapter's function that the application called.
 */
export function placeOfCall(kit: Kit, entry: CallEntry): LostPlace | undefined {
  return tryCurrentRecord() === undefined ? engineOf(kit).loss.place(entry) : undefined
}

function placeIn(outgoing: OutgoingCall): LostPlace | undefined {
  return outgoing.kind === 'http' || outgoing.kind === 'rpc' ? outgoing.place : undefined
}

/** The way through the interceptors. What one of them throws instead of rejecting is the same. */
function pass(engine: Engine, call: Call): Promise<Reply> {
  try {
    refuseLoop(call)
    return Promise.resolve(engine.pipeline(call))
  } catch (error) {
    return rejected(error)
  }
}

function rejected(error: unknown): Promise<never> {
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- goes on as it was thrown
  return Promise.reject(error)
}
