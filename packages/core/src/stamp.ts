import { decodeMember, scanBaggage } from './baggage.js'
import type { Call } from './call.js'
import { parseDepth, parseHopCount, stripBaggage, type HeaderPair } from './codec.js'
import type { Engine } from './engine.js'
import { rendezvous } from './rendezvous.js'
import { callersCountHere } from './scope.js'
import { parseCellName, parseClk } from './tag.js'
import { trimSpace } from './trim-space.js'
import { decodeValue } from './value-text.js'
import type { WaybillRecord } from './waybill.js'
import { EXPLAIN_HEADER, SLOT } from './wire-names.js'

/**
 * What an adapter does to the headers of one attempt, on a copy of the caller's: take out every header named in `set`
 * or `remove`, in any case; then put the pairs first. All names are lower case.
 */
export interface Stamp {
  readonly set: readonly HeaderPair[]
  readonly remove: readonly string[]
}

/** What an adapter says of how its calls are written. */
export interface StampRules {
  /** False: `baggage` alone carries the waybill. */
  readonly dedicatedHeaders: boolean
}

const NOTHING: readonly string[] = []

/** The stamp of one attempt. A call that does not stay in the fleet loses every name of ours that the caller put on it. */
export function stampOf(engine: Engine, call: Call, rules: StampRules): Stamp {
  return call.fleet ? stampForFleet(engine, call, rules) : stampForStranger(engine, call)
}

function stampForFleet(engine: Engine, call: Call, rules: StampRules): Stamp {
  const overwritten = rendezvous().tracer?.overwrites() === true
  // On a message too: baggage is all that it bears else, and that is what a tracer overwrites.
  const dedicatedHeaders = rules.dedicatedHeaders || overwritten
  const waybill = call.waybill as WaybillRecord
  const callers = call.headers('baggage')
  const form = waybill.written(isSameHop(engine, call, callers) ? engine.sameHop : engine.codec)
  const set: HeaderPair[] = dedicatedHeaders ? [...form.pairs] : []
  if (call.service !== undefined && waybill.request().explain) set.push([EXPLAIN_HEADER, '1'])
  if (overwritten && isUntaggedArrival(engine, waybill)) set.push([engine.codec.names.facts.clk.header, ''])
  const tracers = tracersBaggage(call)
  if ((callers === undefined || callers === '') && tracers === '') set.push(['baggage', form.baggage])
  else {
    const { baggage, removed } = engine.codec.merge(form, callers ?? '', tracers)
    set.push(['baggage', baggage])
    if (removed > 0) tellMemberConflicts(engine, callers ?? '', waybill)
  }
  let remove: string[] | undefined
  for (const name of engine.codec.names.headers) {
    const value = call.headers(name)
    if (value === undefined) continue
    const pair = form.pairs.find(([own]) => own === name)
    if (pair === undefined || !dedicatedHeaders) (remove ??= []).push(name)
    if (pair?.[1] !== trimSpace(value)) {
      engine.ledger.conflict('out', name, 'waybill')
    }
  }
  return { set, remove: remove ?? NOTHING }
}

/**
 * True where a tracer's own `baggage` may bear an outsider's clk: only an empty header, which means untagged on purpose,
 * beats that.
 */
function isUntaggedArrival({ facts }: Engine, waybill: WaybillRecord): boolean {
  return facts.carriesClk && waybill.origin !== undefined && waybill.clk === undefined
}

/**
 * What the tracer beside the kit would put on this call. A task stays in the process's service and takes none along; where nobody
 * knows whose call it is, what the tracer keeps is another's.
 */
function tracersBaggage({ kind }: Call): string {
  const { tracer } = rendezvous()
  return tracer === undefined || kind === 'task' || !callersCountHere() ? '' : tracer.baggage()
}

/**
 * True where the depth is written as it is: a task is no hop, and neither is a message that is handed on with its own
 * baggage unchanged, round a retry topic for instance.
 */
function isSameHop(engine: Engine, { kind, waybill }: Call, callers: string | undefined): boolean {
  if (kind === 'task') return true
  if (kind !== 'message' || callers === undefined || callers === '') return false
  const { values, ambiguous } = scanBaggage(callers, engine.codec.names.members)
  const depth = values[SLOT.depth]
  return depth !== undefined && ambiguous[SLOT.depth] !== true && parseDepth(depth) === waybill.depth
}

/** A member that differs only in the depth is a header handed on from the request: no conflict. */
function tellMemberConflicts(engine: Engine, callers: string, waybill: WaybillRecord): void {
  const { names } = engine.codec
  const { values, ambiguous } = scanBaggage(callers, names.members)
  const { clk, hopCount, targetUnit, extras } = waybill.facts()
  const compare = (field: string, slot: number, own: unknown, read: (text: string) => unknown): void => {
    const said = values[slot]
    if (said !== undefined && (ambiguous[slot] === true || read(said) !== own)) {
      engine.ledger.conflict('out', field, 'waybill')
    }
  }
  const readClk = (text: string): unknown => parseClk(decodeMember(text))
  compare('clk', SLOT.clk, clk, readClk)
  compare('shardKey', SLOT.shardKey, waybill.shardKey, decodeValue)
  compare('hopCount', SLOT.hopCount, hopCount, parseHopCount)
  compare('targetUnit', SLOT.targetUnit, targetUnit, (text) => parseCellName(decodeMember(text)))
  names.fields.forEach(({ name }, index) => {
    compare(name, SLOT.extras + index, extras?.[index], decodeValue)
  })
  for (const { baggage, slot } of names.aliases) compare(baggage ?? '', slot, clk, readClk)
}

function stampForStranger(engine: Engine, call: Call): Stamp {
  const remove = engine.codec.inwardHeaders.filter((name) => call.headers(name) !== undefined)
  const set: HeaderPair[] = []
  const callers = call.headers('baggage') ?? ''
  const { baggage, removed } = stripBaggage(callers, engine.codec.names.members, tracersBaggage(call))
  const count = remove.length + removed
  if (baggage !== callers) {
    if (baggage === '') remove.push('baggage')
    else set.push(['baggage', baggage])
  }
  if (count > 0) engine.ledger.drop('out', 'headers', 'LEAVES_FLEET', count)
  return { set, remove }
}
