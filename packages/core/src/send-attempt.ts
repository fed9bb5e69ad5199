import type { Call, Reply } from './call.js'
import { waybillOfCaller } from './caller-waybill.js'
import type { Engine } from './engine.js'
import { publish } from './events.js'
import { rendezvous } from './rendezvous.js'
import { tryCurrentRecord } from './scope.js'
import { stampOf, type Stamp, type StampRules } from './stamp.js'
import type { Waybill } from './waybill.js'

/** Hands one attempt of a call to its client. */
export type Send<Value> = (call: Call, stamp: Stamp) => Promise<Reply<Value>>

// Symbol.for: the pipeline may belong to another copy of the package than the verb that makes the call.
const ATTEMPT: unique symbol = Symbol.for('@waybill/core.attempt') as never

/** What a call needs on its last step; it rides along unseen when an interceptor hands on `{ ...call, target }`. */
interface Sendable extends Call {
  readonly [ATTEMPT]: LastStep
}

/** What the last step needs besides the call. */
interface LastStep extends StampRules {
  readonly engine: Engine
  readonly send: Send<unknown>
  /** The waybill of a call that is made in no scope: a message that bears one of ours goes by its own instead. */
  readonly root: Waybill | undefined
}

/** Makes a new call ready for the pipeline. */
export function sendable(call: Call, lastStep: LastStep): void {
  const made = call as { -readonly [Name in keyof Sendable]: Sendable[Name] }
  made[ATTEMPT] = lastStep
}

/**
 * The stamp for one of several carriers that a call hands over together: a message of a send that bears headers of its
 * own. One that bears none gets the stamp of the call, whose text all of them may share.
 * @param call as it was handed to {@link Send}.
 * @param headers what the caller put on this carrier; the name in lower case, several values joined by a comma.
 */
export function stampFor(call: Call, headers: (name: string) => string | undefined): Stamp {
  const step = (call as Sendable)[ATTEMPT]
  const { engine, root } = step
  // Outside of any request the caller's own headers count; an interceptor's word beats them.
  const own = call.fleet && call.waybill === root ? waybillOfCaller(engine, { headers }) : undefined
  return stampOf(engine, { ...call, headers, waybill: own ?? call.waybill }, step)
}

/** The last step of the pipeline: stamps the attempt, anew each time, and hands it to the client. */
export function sendAttempt(call: Call): Promise<Reply> {
  const step = (call as Sendable)[ATTEMPT]
  const { engine, send } = step
  const stamp = stampOf(engine, call, step)
  if (call.fleet) tellInjected(engine, call)
  const { stamped } = rendezvous()
  if (stamped !== undefined && call.url !== undefined) {
    return stamped.keep(tryCurrentRecord()?.request(), call, stamp, () => handOver(send, call, stamp))
  }
  return handOver(send, call, stamp)
}

function handOver(send: Send<unknown>, call: Call, stamp: Stamp): Promise<Reply> {
  const { tracer } = rendezvous()
  return tracer === undefined
    ? begin(send, call, stamp)
    : tracer.sending(() => begin(send, call, stamp), call, stamp)
}

/** What an adapter throws instead of rejecting is the same: whoever watches the attempt waits for its end. */
function begin(send: Send<unknown>, call: Call, stamp: Stamp): Promise<Reply> {
  try {
    return send(call, stamp)
  } catch (error) {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- goes on as it was thrown
    return Promise.reject(error)
  }
}

/** Counts and tells that an attempt bears the waybill. */
export function tellInjected(engine: Engine, call: Call): void {
  engine.ledger.counters.injected++
  if (!engine.channels.injected.hasSubscribers) return
  publish('injected', {
    call: call.id,
    attempt: call.attempt,
    kind: call.kind,
    service: call.service?.name,
    host: call.url?.host,
    topic: call.topic,
    clk: call.waybill.clk,
  })
}
