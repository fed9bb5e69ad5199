import { parseCellName, parseClk } from '@waybill/core/adapter'
import type { Balancer } from './balance/balancer.js'
import { twoChoices } from './balance/two-choices.js'
import type { CandidateView } from './candidate-view.js'
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
}

const BY_LOAD: Balancer = twoChoices()
const DEFAULTS: SelectOptions = {}

/**
 * One decision and one instance of it, without a kit.
 *
 * @param source an index, or a plain list that is read and indexed for this one question; an entry that cannot be
 * read is no candidate.
 */
export function select(
  source: ServiceIndex | Iterable<InstanceInput>,
  request: SelectRequest,
  { balancer = BY_LOAD }: SelectOptions = DEFAULTS,
): Selection {
  const index = isServiceIndex(source) ? source : indexInstances(source, request.environment).index
  const { step, reason, notes, bucket, leftOut, owners } = decide(index, normalise(request, index))
  if (bucket !== undefined) {
    const instance =
      leftOut.length === 0 && balancer.pickInstance !== undefined
        ? balancer.pickInstance(bucket)
        : balancer.pick(bucket, leftOut).instance
    return { step, reason, notes, instance }
  }
  return owners.length === 0 ? { step, reason, notes } : { step, reason, notes, owners }
}

/** The request as `decide` wants it: itself where it is in normal form, which most are. */
export function normalise(request: SelectRequest, index: ServiceIndex): DecisionRequest {
  const view = index.view()
  const clk = typeof request.clk === 'string' ? clkOf(request.clk, view) : undefined
  const zone = typeof request.zone === 'string' ? zoneOf(request.zone, view) : undefined
  return isNormal(request, clk, zone) ? request : { ...request, clk, zone }
}

/** A text by which the index knows somebody is in normal form already. */
function clkOf(text: string, view: CandidateView): string | undefined {
  return view.tags.has(text) ? text : parseClk(text)
}

function zoneOf(text: string, view: CandidateView): string | undefined {
  return view.zone(text) === undefined ? parseCellName(text) : text
}

function isNormal(
  request: SelectRequest,
  clk: string | undefined,
  zone: string | undefined,
): request is DecisionRequest {
  return request.clk === clk && request.zone === zone
}
