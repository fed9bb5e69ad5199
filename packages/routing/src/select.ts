import { parseCellName, parseClk } from '@waybill/core/adapter'
import type { Balancer } from './balance/balancer.js'
import { twoChoices } from './balance/two-choices.js'
import { decide } from './decide.js'
import type { DecisionRequest, Note, Reason, Step } from './decide.js'
import { indexInstances } from './instance-list.js'
import type { InstanceInput } from './instance-list.js'
import type { Instance } from './instance.js'
import { isServiceIndex } from './service-index.js'
import type { ServiceIndex } from './service-index.js'

/** What `select` and `explain` are asked. Tag and zone may be in any case, with spaces around. */
export interface SelectRequest extends Omit<DecisionRequest, 'clk'> {
  /** Empty, null or invalid: untagged. */
  readonly clk?: string | null | undefined
  /** Instances of another environment are no candidates. Only for a plain list; an index has its own. */
  readonly environment?: string | undefined
}

export interface Selection {
  readonly step: Step
  readonly reason: Reason
  readonly notes: readonly Note[]
  /** Absent where no instance may serve the call (steps 3, 7, 8), or an address does (6). */
  readonly instance?: Instance
  /** Whose instances there are, at step 7. */
  readonly owners?: readonly string[]
}

export interface SelectOptions {
  /** Default {@link twoChoices} over `Math.random`. */
  readonly balancer?: Balancer
  /** Monotonic milliseconds, for the balancer. */
  readonly now?: number
}

const BY_LOAD: Balancer = twoChoices()

/**
 * One decision and one instance of it, without a kit.
 *
 * @param source an index, or a plain list that is read and indexed for this one question; an entry that cannot be
 * read is no candidate.
 */
export function select(
  source: ServiceIndex | Iterable<InstanceInput>,
  request: SelectRequest,
  { balancer = BY_LOAD, now = performance.now() }: SelectOptions = {},
): Selection {
  const index = isServiceIndex(source) ? source : indexInstances(source, request.environment).index
  const { step, reason, notes, bucket, leftOut, owners } = decide(index, normalise(request, index))
  if (bucket !== undefined) {
    return { step, reason, notes, instance: balancer.pick(bucket, leftOut, now).instance }
  }
  return owners.length === 0 ? { step, reason, notes } : { step, reason, notes, owners }
}

/** The request as `decide` wants it. Field by field: a spread costs more than the whole decision. */
export function normalise(request: SelectRequest, index: ServiceIndex): DecisionRequest {
  const { clk, zone, policy, tried, address, require, local } = request
  return {
    clk: typeof clk === 'string' ? parseClk(clk) : undefined,
    zone: typeof zone === 'string' ? zoneOf(zone, index) : undefined,
    policy,
    tried,
    address,
    require,
    local,
  }
}

/** A zone that the index knows by this text is in normal form already, and most callers name the same one always. */
function zoneOf(text: string, index: ServiceIndex): string | undefined {
  return index.view().zones.has(text) ? text : parseCellName(text)
}
