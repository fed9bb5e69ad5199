import type { CallKind, Next } from './call.js'
import type { Codec } from './codec.js'
import type { Ledger } from './counters.js'
import { WaybillError } from './errors.js'
import type { EventChannels } from './events.js'
import type { Facts } from './facts.js'
import type { InboundRules } from './inbound-rules.js'
import type { Kit } from './kit.js'
import type { LossDetector } from './loss-detector.js'
import type { Services } from './services.js'
import type { Topics } from './topics.js'
import type { ReadingRules } from './waybill-reader.js'
import type { Waybill, WaybillRecord } from './waybill.js'

/** What stands behind a kit. Adapters reach it through `adopt` and `performCall` only. */
export interface Engine {
  readonly facts: Facts
  /** Its options as text, for threads and processes that this one makes. */
  readonly options: string
  readonly ledger: Ledger
  readonly channels: EventChannels
  readonly reading: ReadingRules
  readonly codec: Codec
  /** The same for what stays on its hop: the depth is written as it is. */
  readonly sameHop: Codec
  readonly topics: Topics
  readonly inbound: InboundRules
  readonly services: Services
  readonly loss: LossDetector
  /** The interceptors around the last step, composed once. */
  readonly pipeline: Next
  /** A waybill for what the process does of itself. */
  root(): WaybillRecord
  /** Asks the interceptors whether an arrival may come in. */
  admit(kind: CallKind, waybill: Waybill): WaybillError | undefined
  /** A new id for a logical call. */
  nextCallId(): string
}

/** Symbol.for: a kit made by one copy of the package works with adapters that use another of the same protocol. */
export const ENGINE: unique symbol = Symbol.for('@waybill/core.engine') as never

/**
 * The engine behind a kit.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION for what `createKit` has not made.
 */
export function engineOf(kit: Kit): Engine {
  const engine = (kit as { readonly [ENGINE]?: Engine } | undefined)?.[ENGINE]
  if (engine === undefined) {
    throw new WaybillError('ERR_WAYBILL_CONFIGURATION', { option: 'kit', problem: 'not made by createKit' })
  }
  return engine
}
