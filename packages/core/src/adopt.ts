import { engineOf, type Engine } from './engine.js'
import type { WaybillError } from './errors.js'
import { publish } from './events.js'
import type { Arrival } from './inbound-rules.js'
import type { Kit } from './kit.js'
import { rendezvous } from './rendezvous.js'
import { Request, type NoteSink } from './request.js'
import { runBelow, runInNewScope, tryCurrentRecord } from './scope.js'
import type { Inbound } from './trust.js'
import { mayBearClk, WireReader } from './waybill-reader.js'
import { WaybillRecord, type Waybill } from './waybill.js'
import { EXPLAIN_HEADER } from './wire-names.js'

/** An arrival taken in. */
export interface Adopted {
  readonly waybill: Waybill
  /** Set where an interceptor does not admit the arrival: answer with its `status` and code, and run no handler. */
  readonly refusal: WaybillError | undefined
  /** True: the reply belongs to one tag, and no cache may store it. */
  readonly tagged: boolean
  /** True: the reply tells who served; hand the adapter's sink to {@link Adopted.tell}. */
  readonly told: boolean
  /** Connects the reply. The sink must not keep the reply alive. */
  tell(sink: NoteSink): void
  /** Runs the handler in the scope of the waybill. */
  run<T>(handler: () => T): T
}

/**
 * Takes an arrival in: judges the sender, makes a waybill of what is believed, asks the interceptors.
 * Nothing that came from outside makes it throw.
 */
export function adopt(kit: Kit, arrival: Arrival): Adopted {
  return new Adoption(engineOf(kit), arrival)
}

/**
 * True if the current waybill was read from the arrival for which this object stands (its carrier's `origin`), or made of
 * one that was: a second adapter on the same way then has nothing to do.
 */
export function isAdopted(origin: object): boolean {
  return currentOrigin() === origin
}

/**
 * True where a listener takes over what a seam has adopted: it has another kit, or believes others than the seam did.
 * @param waybill of the arrival; default the current one.
 */
export function takesOver(kit: Kit, inbound: Inbound, waybill?: Waybill): boolean {
  const record = (waybill as WaybillRecord | undefined) ?? tryCurrentRecord()
  const seam = record?.seam
  return seam !== undefined && (seam.kit !== kit || seam.inbound !== inbound)
}

/** What stands for the arrival to which this code belongs; undefined in no scope, and in work that was detached. */
export function currentOrigin(): object | undefined {
  return tryCurrentRecord()?.origin
}

/**
 * The waybill that an arrival bears, without taking it in: no interceptor is asked, nothing is counted as adopted. For an
 * adapter that decides by the tag whether an arrival is its own to handle.
 */
export function readArrival(kit: Kit, arrival: Arrival): Waybill {
  return recordOf(engineOf(kit), arrival)
}

/**
 * Asks the interceptors whether an arrival may come in, without taking it in. For an adapter whose kit is disabled:
 * what protects others stays.
 */
export function refusalOf(kit: Kit, arrival: Arrival): WaybillError | undefined {
  const engine = engineOf(kit)
  return engine.admit(arrival.kind, recordOf(engine, arrival))
}

function recordOf(engine: Engine, arrival: Arrival): WaybillRecord {
  const { inbound: rules, reading } = engine
  const verdict = rules.judge(arrival)
  if (verdict.accepted) tellValueless(engine, arrival)
  const reader = new WireReader(
    reading,
    arrival.carrier,
    verdict.belief,
    rules.edgeClk(arrival),
    rules.ownClk(arrival),
  )
  return WaybillRecord.unread(reader, new Request(), arrival.carrier.origin)
}

/** Tells of headers of ours that a message bears without a value; to read them they are absent. */
function tellValueless({ reading, ledger }: Engine, { kind, carrier }: Arrival): void {
  if (kind !== 'message') return
  for (const name of carrier.valueless ?? []) {
    const ours =
      name === 'baggage' || Object.values(reading.names.facts).some(({ header }) => header === name)
    if (ours) ledger.drop('in', name, 'INVALID')
  }
}

/**
 * Says that this process handles what arrives, for an adapter that hands arrivals over without taking them in: from now on a
 * call that is made in no scope counts as lost. Taking one in says so by itself.
 */
export function expectArrivals(kit: Kit): void {
  engineOf(kit).loss.arm()
}

class Adoption implements Adopted {
  readonly waybill: WaybillRecord
  readonly refusal: WaybillError | undefined
  readonly tagged: boolean
  readonly told: boolean
  readonly #kind: Arrival['kind']
  readonly #request: Request
  readonly #firstNote: string | undefined

  constructor(engine: Engine, arrival: Arrival) {
    const { carrier, inbound, kind } = arrival
    const verdict = engine.inbound.judge(arrival)
    const edgeClk = engine.inbound.edgeClk(arrival)
    const ownClk = engine.inbound.ownClk(arrival)
    const request = new Request()
    this.#kind = kind
    this.#request = request
    if (arrival.seam !== undefined) request.takenInBy(arrival.seam)
    engine.loss.arm()
    engine.ledger.counters.adopted++
    if (verdict.accepted) tellValueless(engine, arrival)

    const explain = verdict.mayAsk && carrier.get(EXPLAIN_HEADER) === '1'
    if (verdict.mayAsk) request.ask(explain, verdict.accepted)
    const { reading } = engine
    const { carriesClk } = engine.facts
    const clkHeader = carriesClk ? carrier.get(reading.names.facts.clk.header) : undefined
    const { adopted, dropped } = engine.channels
    const listened = adopted.hasSubscribers
    // Reading waits for the first look, unless the clk decides something or a drop must be counted now.
    const decides =
      listened ||
      dropped.hasSubscribers ||
      !verdict.accepted ||
      ownClk !== undefined ||
      edgeClk?.text !== undefined ||
      clkHeader !== undefined ||
      (carriesClk && mayBearClk(reading, carrier))
    const plain =
      decides && edgeClk === undefined
        ? reading.plain?.read(carrier, verdict.belief, request, clkHeader)
        : undefined
    let reader: WireReader | undefined
    if (plain !== undefined) this.waybill = new WaybillRecord(plain, request, carrier.origin)
    else {
      reader = new WireReader(reading, carrier, verdict.belief, edgeClk, ownClk)
      this.waybill = decides
        ? new WaybillRecord(reader.readAtLength(request), request, carrier.origin)
        : WaybillRecord.unread(reader, request, carrier.origin)
    }
    const clk = decides ? this.waybill.clk : undefined
    const refused = reader?.refused
    if (listened) {
      const { hopCount, depth } = this.waybill
      const source = plain?.text.source ?? reader?.source ?? 'none'
      publish('adopted', { kind, inbound, clk, source, hopCount, depth })
    }
    this.tagged = clk !== undefined
    // The event tells an ambiguous tag from an invalid one; the reply says that the tag was refused.
    this.#firstNote = refused === undefined ? undefined : '-=;INVALID_CLK'
    this.told = explain || (!engine.facts.production && (this.tagged || refused !== undefined))
    this.refusal = engine.admit(kind, this.waybill)
  }

  tell(sink: NoteSink): void {
    this.#request.tell(sink)
    if (this.#firstNote !== undefined) sink.add(this.#firstNote)
  }

  run<T>(handler: () => T): T {
    const { tracer } = rendezvous()
    const run = this.#request.seam === undefined ? runInNewScope : runBelow
    if (tracer === undefined) return run(this.waybill, handler)
    return run(this.waybill, () => {
      tracer.adopted(this.#kind)
      return handler()
    })
  }
}
