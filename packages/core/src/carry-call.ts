import type { Call, Reply } from './call.js'
import { engineOf, type Engine } from './engine.js'
import { isWaybillError } from './errors.js'
import type { Kit } from './kit.js'
import { describe, destinationOf, type OutgoingRequest } from './outgoing-call.js'
import { refuseLoop } from './refuse-loop.js'
import { rendezvous } from './rendezvous.js'
import { callersCountHere, remedyHere, tryCurrentRecord } from './scope.js'
import { tellInjected } from './send-attempt.js'
import { noteServed, settle, tellRefused } from './settle.js'
import { StampedAttempts } from './stamped-attempts.js'
import { stampOf, type Stamp } from './stamp.js'
import type { WaybillRecord } from './waybill.js'

/** A call of {@link carryCall}: what to do to its headers, and whom to tell how it ended. */
export interface CarriedCall {
  /** False: it leaves the fleet, and bears nothing of ours. */
  readonly fleet: boolean
  readonly stamp: Stamp
  /** Tells of the answer, when its head has come. Once; what comes later is not listened to. */
  answered(reply: Pick<Reply, 'status' | 'header'>): void
  /** Tells that there will be none. */
  failed(error: unknown): void
}

/**
 * Says that a seam below the clients of this thread carries the calls that no adapter does; until then `carryCall` cannot
 * know which calls an adapter has stamped.
 * @returns an undo. While another seam is open, they are known on.
 */
export function openCallSeam(): () => void {
  const shared = rendezvous()
  const stamped = (shared.stamped ??= new StampedAttempts())
  stamped.seams++
  let isOpen = true
  return () => {
    if (!isOpen) return
    isOpen = false
    stamped.seams--
    if (stamped.seams === 0) shared.stamped = undefined
  }
}

/**
 * Stamps a call that a seam below the clients has met on its way, at once, when its headers are complete. It is judged,
 * counted and told of like any other; but no interceptor is asked: it goes where it goes. Called in the context in which the
 * application made the call: the scope counts, and what a tracer keeps there.
 * @returns undefined for a call that bears what an adapter of a kit has stamped on it.
 * @throws WaybillError ERR_WAYBILL_LOOP
 */
export function carryCall(kit: Kit, outgoing: OutgoingRequest): CarriedCall | undefined {
  const engine = engineOf(kit)
  const scope = tryCurrentRecord()
  const { stamped } = rendezvous()
  const request = scope?.request()
  const names = engine.codec.names.headers
  const isAnybodys = scope === undefined && !callersCountHere()
  const isStamped = isAnybodys
    ? stamped?.hasAnybodys(outgoing, names)
    : stamped?.has(request, outgoing, names)
  if (isStamped === true) return undefined
  const attempt = isAnybodys ? undefined : stamped?.likely(request, outgoing)
  if (attempt !== undefined) {
    // Another call may have been taken for it, one that bears a copy of an outsider's headers.
    return new Carried(engine, { ...attempt, headers: (name) => outgoing.headers(name) }, scope, true)
  }
  const destination = destinationOf(engine, outgoing)
  if (scope === undefined && destination.fleet) {
    engine.loss.callWithoutScope(outgoing.kind, remedyHere(), outgoing.place ?? carryCall)
  }
  const call = describe(engine, outgoing, destination, scope)
  try {
    refuseLoop(call)
  } catch (error) {
    if (isWaybillError(error)) tellRefused(engine, call, error)
    throw error
  }
  return new Carried(engine, call, scope, false)
}

class Carried implements CarriedCall {
  readonly fleet: boolean
  readonly stamp: Stamp
  readonly #engine: Engine
  readonly #call: Call
  readonly #scope: WaybillRecord | undefined
  readonly #started: number | undefined
  #ended: boolean

  /** @param told true: an adapter tells of it. */
  constructor(engine: Engine, call: Call, scope: WaybillRecord | undefined, told: boolean) {
    this.#ended = told
    this.#engine = engine
    this.#call = call
    this.#scope = scope
    this.fleet = call.fleet
    this.stamp = stampOf(engine, call, { dedicatedHeaders: true })
    if (call.fleet && !told) tellInjected(engine, call)
    this.#started = engine.channels.settled.hasSubscribers ? performance.now() : undefined
  }

  answered(reply: Pick<Reply, 'status' | 'header'>): void {
    if (this.#ended) return
    this.#ended = true
    settle(this.#engine, this.#call, this.#started, reply.status, undefined)
    noteServed(this.#call, this.#scope, reply)
  }

  failed(error: unknown): void {
    if (this.#ended) return
    this.#ended = true
    settle(this.#engine, this.#call, this.#started, undefined, error)
  }
}
