import { joinBaggage, membersBeside, siftMembers, UNREAD_SLOT, type MemberNames } from './baggage.js'
import { engineOf } from './engine.js'
import { rendezvous } from './rendezvous.js'
import type { Waybill, WaybillRecord } from './waybill.js'
import { DEFAULT_NAMES } from './wire-names.js'

/** A `baggage` header, taken apart: each text is one again, its members byte for byte and in order. */
export interface SiftedBaggage {
  /** Members of our names: default, configured and those of aliases, found in any case and behind percent-escapes. */
  readonly own: string
  readonly foreign: string
}

// Not by `wireNames`, which checks options and has no place in the entry for adapters.
const defaultMembers: MemberNames = new Map(
  Object.values(DEFAULT_NAMES).map(({ baggage }) => [baggage, UNREAD_SLOT]),
)

/** Takes a header apart by the names of this thread's kit; while there is none, by the default names. */
export function siftBaggage(text: string): SiftedBaggage {
  const { own, foreign } = siftMembers(text, memberNames())
  return { own: own.join(','), foreign: own.length === 0 ? text : foreign.join(',') }
}

function memberNames(): MemberNames {
  const { kit } = rendezvous()
  return kit === undefined ? defaultMembers : engineOf(kit).codec.names.members
}

/** The header of a stamped call, with those foreign members of another header that it has not and that fit. */
export function baggageBeside(stamped: string, added: string): string {
  const { own, foreign } = siftMembers(stamped, memberNames())
  const more = membersBeside(foreign, siftBaggage(added).foreign)
  return joinBaggage(own, [...foreign, ...more]).text
}

/**
 * A `baggage` header as a call of this thread's kit would bear it: the members of the waybill, then the foreign ones that
 * fit. For whoever writes calls that no adapter of the kit sees.
 * @param waybill undefined, a disabled kit or none: the foreign ones alone.
 */
export function baggageWith(waybill: Waybill | undefined, foreign: string): string {
  const { kit } = rendezvous()
  if (waybill === undefined || kit === undefined || kit.disabled) return foreign
  const { codec } = engineOf(kit)
  return codec.merge((waybill as WaybillRecord).written(codec), foreign).baggage
}
