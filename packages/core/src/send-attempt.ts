import type { Call, Reply } from './call.js'
import type { Engine } from './engine.js'
import { publish } from './events.js'
import { stampOf, type Stamp } from './stamp.js'

/** Hands one attempt of a call to its client. */
export type Send<Value> = (call: Call, stamp: Stamp) => Promise<Reply<Value>>

// Symbol.for: the pipeline may belong to another copy of the package than the verb that makes the call.
const ATTEMPT: unique symbol = Symbol.for('@waybill/core.attempt') as never

/** What a call needs on its last step; it rides along unseen when an interceptor hands on `{ ...call, target }`. */
interface Sendable extends Call {
  readonly [ATTEMPT]: { readonly engine: Engine; readonly send: Send<unknown> }
}

/** Makes a new call ready for the pipeline, and returns it. */
export function sendable(call: Call, engine: Engine, send: Send<unknown>): Call {
  const made = call as { -readonly [Name in keyof Sendable]: Sendable[Name] }
  made[ATTEMPT] = { engine, send }
  return made
}

/** The last step of the pipeline: stamps the attempt, anew each time, and hands it to the client. */
export function sendAttempt(call: Call): Promise<Reply> {
  const { engine, send } = (call as Sendable)[ATTEMPT]
  const stamp = stampOf(engine, call)
  if (call.fleet) {
    engine.ledger.counters.injected++
    if (engine.channels.injected.hasSubscribers) {
      publish('injected', {
        call: call.id,
        attempt: call.attempt,
        kind: call.kind,
        service: call.service?.name,
        host: call.url?.host,
        clk: call.waybill.clk,
      })
    }
  }
  return send(call, stamp)
}
