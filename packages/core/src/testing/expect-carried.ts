import { AssertionError } from 'node:assert'
import { BELIEF, PEER_BELIEF } from '../belief.js'
import { carrierOf } from '../carrier.js'
import { Ledger } from '../counters.js'
import { rendezvous } from '../rendezvous.js'
import { Request } from '../request.js'
import { currentRecord } from '../scope.js'
import { readingRules, WireReader } from '../waybill-reader.js'
import { WaybillRecord, type Waybill } from '../waybill.js'
import { wireNames } from '../wire-names.js'
import type { WaybillFields } from './with-waybill.js'

/**
 * Asserts that headers which some code has sent carry the current waybill, or the facts given: reads them as the next
 * hop would, with the default names.
 * @param headers a record, `Headers`, a Map or Kafka headers.
 * @returns the waybill as the next hop reads it.
 * @throws AssertionError naming each fact that is missing or differs; WaybillError ERR_WAYBILL_NO_SCOPE where neither a
 * waybill is current nor facts are given.
 */
export function expectCarried(headers: unknown, expected?: Omit<WaybillFields, 'depth'>): Waybill {
  const carrier = carrierOf(headers)
  const rules = readingRules(wireNames({}, {}, [...rendezvous().declared]), new Ledger(), true)
  const belief = PEER_BELIEF | BELIEF.targetUnit
  const read = WaybillRecord.unread(
    new WireReader(rules, carrier, belief, undefined, undefined),
    new Request(),
  )
  const { fields, ...facts } = expected ?? {}
  const wanted: Record<string, unknown> =
    expected === undefined ? factsOf(currentRecord('expectCarried')) : { ...facts, ...fields }
  const actual = factsOf(read)
  for (const name of Object.keys(wanted)) {
    if (wanted[name] !== actual[name]) {
      throw new AssertionError({
        message: `The headers do not carry the waybill: ${name} is ${show(actual[name])}, expected ${show(wanted[name])}`,
        actual,
        expected: { ...actual, ...wanted },
        operator: 'expectCarried',
      })
    }
  }
  return read
}

/** What should be the same at the next hop: not the depth, and no field that stays in the process. */
function factsOf(waybill: Waybill): Record<string, unknown> {
  const { clk, shardKey, hopCount, targetUnit } = waybill
  const remote = rendezvous().declared.filter(({ baggage }) => baggage !== undefined)
  const fields = Object.fromEntries(remote.map(({ name }) => [name, waybill.field(name)]))
  return { clk, shardKey, hopCount, targetUnit, ...fields }
}

function show(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value)
}
